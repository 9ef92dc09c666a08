import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeError, PreflightError } from '@slipway/base';
import { closeNspawn, type NspawnFleet, prepareNspawn } from '@slipway/host';
import type { Environment } from '../environment.ts';
import type { CliErrorCode } from '../errors.ts';
import type { Output } from '../output.ts';
import type { HostGround } from './host-ground.ts';
import { createNspawnPower } from './nspawn-power.ts';

export type NspawnGroundOptions = {
  /** Keeps the machines' files. */
  readonly directory: string;
  readonly environment: Environment;
  readonly output: Output;
};

/**
 * systemd-nspawn hosts: machines with a systemd of their own on a bridge of this computer. Needs root;
 * a PreflightError says what is missing.
 */
export async function openNspawnGround(options: NspawnGroundOptions): Promise<HostGround> {
  const { directory, environment, output } = options;
  const bundleDirectory = bundleOf(environment.entryPoint);
  const fleet = await prepare(directory, output);
  return {
    gatewayAddress: fleet.hostAddress,
    createPower: (place, index, facts) =>
      createNspawnPower({ fleet, place, index, facts, bundleDirectory, output }),
    close: () => closeNspawn(fleet),
  };
}

async function prepare(stateDirectory: string, output: Output): Promise<NspawnFleet> {
  try {
    return await prepareNspawn({
      stateDirectory,
      onImageBuild: () => output.phase('hosts', 'building the base image; this takes a minute'),
    });
  } catch (cause) {
    const code: CliErrorCode = 'cli.up.nspawn-unavailable';
    throw new PreflightError(`prepare --hosts nspawn: ${describeError(cause)}`, { code });
  }
}

/** Folder of the bundled programs, which machines run: beside this bundle, or `dist` of the source. */
function bundleOf(entryPoint: string): string {
  const directory = entryPoint.endsWith('.mjs')
    ? dirname(entryPoint)
    : join(dirname(entryPoint), '../../../dist');
  if (existsSync(join(directory, 'slipway.mjs'))) return directory;
  const code: CliErrorCode = 'cli.up.no-bundle';
  throw new PreflightError(`prepare --hosts nspawn: there is no ${directory}/slipway.mjs`, {
    code,
  });
}
