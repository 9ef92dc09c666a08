import { describeError } from '@slipway/base';
import type { ExternalEtcd } from '../../config/configuration.ts';
import { readHostText } from '../../host-text/read-host-text.ts';
import {
  compareKubernetesVersions,
  parseKubernetesVersion,
} from '../../version/kubernetes-version.ts';
import type { Ground } from '../../workflow/ground.ts';
import { askServer } from '../ask-server.ts';
import { type Check, type Finding, failure, type PreflightContext } from '../check.ts';

/** Source: kubeadm's MinExternalEtcdVersion of 1.34 to 1.37. */
const leastVersion = { major: 3, minor: 5, patch: 24, preRelease: '0' };

const attempts = 4;
const pauseMs = 5_000;
const timeoutMs = 10_000;
/** A version is said in a few words. */
const maxBytes = 64 * 1024;

type Credentials = { readonly ca?: string; readonly cert?: string; readonly key?: string };

/** Every endpoint of an external etcd tells its version, and it will do. Silence is asked again three times. */
export function externalEtcdVersion(etcd: ExternalEtcd): Check {
  return {
    name: 'ExternalEtcdVersion',
    run: async (context) => {
      const credentials = await readCredentials(context.ground, etcd);
      const endpoints = etcd.httpEndpoints ?? etcd.endpoints;
      const found = await Promise.all(
        endpoints.map((endpoint) => checkEndpoint(context, endpoint, credentials)),
      );
      return found.flat();
    },
  };
}

async function readCredentials({ files }: Ground, etcd: ExternalEtcd): Promise<Credentials> {
  const read = async (path: string) => (path === '' ? undefined : await readHostText(files, path));
  const ca = await read(etcd.caFile);
  const cert = await read(etcd.certFile);
  const key = await read(etcd.keyFile);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  };
}

async function checkEndpoint(
  { ground, signal }: PreflightContext,
  endpoint: string,
  credentials: Credentials,
): Promise<readonly Finding[]> {
  const fix = `see that etcd runs and that this machine reaches ${endpoint} with the files of etcd.external`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return judge(
        endpoint,
        await askVersion(`${endpoint.replace(/\/+$/, '')}/version`, credentials, signal),
      );
    } catch (error) {
      if (attempt === attempts) {
        return [
          failure(`etcd at ${endpoint} does not tell its version: ${describeError(error)}`, fix),
        ];
      }
      await ground.clock.sleep(pauseMs, signal);
    }
  }
}

function judge(endpoint: string, text: string): readonly Finding[] {
  const least = '3.5.24';
  const version = parseKubernetesVersion(text);
  if (version && compareKubernetesVersions(version, leastVersion) >= 0) return [];
  return version
    ? [
        failure(
          `etcd at ${endpoint} is ${text}; ${least} is the oldest that will do`,
          `update etcd to ${least} or later, member by member`,
        ),
      ]
    : [
        failure(
          `etcd at ${endpoint} says that its version is ${JSON.stringify(text)}`,
          'see that it is etcd that answers there',
        ),
      ];
}

async function askVersion(
  url: string,
  tls: Credentials,
  signal: AbortSignal | undefined,
): Promise<string> {
  const given = signal === undefined ? {} : { signal };
  const { status, text } = await askServer({ url, tls, timeoutMs, maxBytes, ...given });
  if (status >= 500) throw new Error(`it answers ${status}`);
  return readVersion(text);
}

function readVersion(text: string): string {
  try {
    const { etcdserver } = JSON.parse(text) as { etcdserver?: unknown };
    return typeof etcdserver === 'string' ? etcdserver : text.slice(0, 100);
  } catch {
    // What does not answer in JSON is not etcd; the answer is shown.
    return text.slice(0, 100);
  }
}
