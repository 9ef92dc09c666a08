import type { HostFiles } from '@slipway/host';
import type { EnvironmentVariable } from '../config/configuration.ts';
import type { Ground } from '../workflow/ground.ts';
import { proxyEnvironment } from './static-pod.ts';
import { certificateFolders } from './volumes.ts';

/** What manifests depend on beside the configuration. */
export type Surroundings = {
  /** Those of `certificateFolders` that the host has. */
  readonly existingFolders: readonly string[];
  /** Proxy settings of the process, for the components. */
  readonly proxyEnvironment: readonly EnvironmentVariable[];
  /** The cluster's authority has no key here: the controller manager must not try to sign. */
  readonly isExternalAuthority: boolean;
};

/** Looks at the host; changes nothing. */
export async function readSurroundings(
  { files, variables }: Pick<Ground, 'files' | 'variables'>,
  certificatesDir: string,
): Promise<Surroundings> {
  const found = await Promise.all(
    certificateFolders.map(async (folder) => ((await exists(files, folder)) ? [folder] : [])),
  );
  const hasCertificate = await exists(files, `${certificatesDir}/ca.crt`);
  const hasKey = await exists(files, `${certificatesDir}/ca.key`);
  return {
    existingFolders: found.flat(),
    proxyEnvironment: proxyEnvironment(variables),
    isExternalAuthority: hasCertificate && !hasKey,
  };
}

async function exists(files: HostFiles, path: string): Promise<boolean> {
  return (await files.stat(path)) !== undefined;
}
