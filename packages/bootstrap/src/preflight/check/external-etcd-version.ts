import { request } from 'node:https';
import { describeError } from '@slipway/base';
import type { ExternalEtcd } from '../../config/configuration.ts';
import { readHostText } from '../../host-text/read-host-text.ts';
import {
  compareKubernetesVersions,
  parseKubernetesVersion,
} from '../../version/kubernetes-version.ts';
import type { Ground } from '../../workflow/ground.ts';
import { type Check, type Finding, failure, type PreflightContext } from '../check.ts';

/** Source: kubeadm's MinExternalEtcdVersion of 1.34 to 1.37. */
const leastVersion = { major: 3, minor: 5, patch: 24, preRelease: '0' };

const attempts = 4;
const pauseMs = 5_000;
const timeoutMs = 10_000;

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
        await askVersion(`${endpoint.replace(/\/+$/, '')}/version`, credentials),
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

async function askVersion(url: string, credentials: Credentials): Promise<string> {
  // Only where it is needed: the runtime loads its whole fetch with this module.
  const ask = url.startsWith('http:') ? (await import('node:http')).request : request;
  return await new Promise((resolve, reject) => {
    const call = ask(url, { ...credentials, timeout: timeoutMs, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0 } = response;
        if (statusCode >= 500) return reject(new Error(`it answers ${statusCode}`));
        resolve(readVersion(Buffer.concat(chunks).toString('utf8')));
      });
    });
    call.on('timeout', () => call.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    call.on('error', reject);
    call.end();
  });
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
