import { type ConfigurationKind, configurationKinds } from './convert/converted.ts';
import type { Finding } from './finding.ts';
import type { LoadedFile } from './load.ts';

/** Documents of the file that the command does not use: ignored, and said so. */
export function unexpectedKinds(
  file: LoadedFile,
  expected: readonly ConfigurationKind[],
): readonly (readonly [ConfigurationKind, readonly Finding[]])[] {
  return configurationKinds
    .filter((kind) => file.documents[kind]?.origin !== undefined && !expected.includes(kind))
    .map((kind) => {
      const finding: Finding = {
        code: 'bootstrap.config.unexpected-kind',
        severity: 'warning',
        path: ['kind'],
        message: `this command does not use ${kind}; it is ignored`,
        hint: 'remove the document',
      };
      return [kind, [finding]];
    });
}
