import { readFile } from 'node:fs/promises';
import { createLogger, isJsonObject, systemClock, UserError } from '@slipway/base';
import { createRealHost } from '@slipway/host';
import type { CommandContext } from '../command/program.ts';
import type { CliErrorCode } from '../errors.ts';
import type { JoinSettings } from './join-settings.ts';
import { createKubeletProgram, createNodeClient } from './kubelet-program.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** `slipway kubelet-stand-in`: the service on a test host of try mode. Ends with 0 when it is told to stop. */
export async function runKubeletStandIn(
  flags: { readonly config: string },
  { output, environment }: CommandContext,
): Promise<number> {
  const settings = parseSettings(await readFile(flags.config, 'utf8'), flags.config);
  const logger = createLogger((line) => output.line(line));
  const host = createRealHost({ root: '/' });
  const client = createNodeClient(host, logger);
  const program = createKubeletProgram({ host, settings, client, clock: systemClock, logger });
  await untilInterrupted([program], environment.interrupted);
  client.close();
  return 0;
}

function parseSettings(text: string, path: string): JoinSettings {
  const code: CliErrorCode = 'cli.usage';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UserError(`read ${path}: not JSON`, { code, cause });
  }
  if (!isJoinSettings(value)) throw new UserError(`read ${path}: not join settings`, { code });
  return value;
}

function isJoinSettings(value: unknown): value is JoinSettings {
  const texts = ['nodeName', 'endpoint', 'token', 'address'];
  return (
    isJsonObject(value) &&
    texts.every((key) => typeof value[key] === 'string') &&
    Array.isArray(value['pins'])
  );
}
