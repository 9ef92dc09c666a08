import { typeTableVersion } from '../types/type-table.ts';
import { type Answer, json, plainText } from './answer.ts';

/** One named condition of `/livez` and `/readyz`. */
export type HealthCheck = { readonly name: string; readonly check: () => boolean };

/** What `/version` says: the API of this Kubernetes minor, served by slipway. */
export function versionAnswer(slipwayVersion: string): Answer {
  const [, minor = '0', patch = '0'] = /^v0\.(\d+)\.(\d+)/.exec(typeTableVersion) ?? [];
  return json(200, {
    major: '1',
    minor,
    gitVersion: `v1.${minor}.${patch}+slipway.${slipwayVersion}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'node',
    platform: `${process.platform}/${process.arch}`,
  });
}

function report(path: string, results: readonly { name: string; ok: boolean }[]): string {
  const failed = results.some(({ ok }) => !ok);
  const lines = results.map(
    ({ name, ok }) => `[${ok ? '+' : '-'}]${name} ${ok ? 'ok' : 'failed: reason withheld'}`,
  );
  return `${lines.join('\n')}\n${path.slice(1)} check ${failed ? 'failed' : 'passed'}\n`;
}

/** Answers `/livez`, `/readyz`, `/healthz` and their named checks; undefined for other paths. */
export function healthAnswer(
  path: string,
  query: URLSearchParams,
  checks: Readonly<Record<string, readonly HealthCheck[]>>,
): Answer | undefined {
  const [, root = '', name, ...more] = path.split('/');
  const known = checks[root];
  if (known === undefined || more.length > 0) return undefined;
  const excluded = query.getAll('exclude');
  const selected = known.filter((check) =>
    name === undefined ? !excluded.includes(check.name) : check.name === name,
  );
  if (name !== undefined && selected.length === 0) return undefined;
  const results = selected.map((check) => ({ name: check.name, ok: check.check() }));
  const failed = results.some(({ ok }) => !ok);
  if (!failed && !query.has('verbose')) return plainText(200, 'ok');
  return plainText(failed ? 500 : 200, report(`/${root}`, results));
}

/** The paths that `/` lists. */
export function rootAnswer(paths: readonly string[]): Answer {
  return json(200, { paths });
}

/** 404 of a path that is nothing's, as plain text like upstream's. */
export function unknownPath(): Answer {
  return plainText(404, '404 page not found\n');
}
