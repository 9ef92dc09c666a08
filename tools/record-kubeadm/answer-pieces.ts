import { parseAllDocuments } from 'yaml';
import { dryRunPieces } from './dry-run-objects.ts';
import type { Pieces } from './recording.ts';
import type { Step } from './steps.ts';

/** How a step ended. */
export type Answer = { readonly code: number; readonly stdout: string };

/** What a step's answer says, apart from what it wrote. Texts for people are not kept. */
export function answerPieces(step: Step, answer: Answer, configuration: string): Pieces {
  return {
    [`exit/${step.name}`]: answer.code,
    ...(answer.code === 0 ? contentOf(step, answer.stdout, configuration) : {}),
  };
}

function contentOf(step: Step, stdout: string, configuration: string): Pieces {
  const { name } = step;
  if (name === 'migrate')
    return documentPieces('migrated', withoutDrawnTokens(stdout, configuration));
  if (name === 'images' || name.startsWith('images-'))
    return { [name]: stdout.split('\n').filter((line) => line !== '') };
  if (name.endsWith('-defaults')) return documentPieces(name, stdout);
  if (name.endsWith('check-expiration')) return expirationPieces(name, stdout);
  return name === 'dry-run' ? dryRunPieces(stdout, configuration) : {};
}

/** A token that nobody gave is drawn by lot. */
function withoutDrawnTokens(text: string, configuration: string): string {
  return text.replaceAll(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, (token) =>
    configuration.includes(token) ? token : '<random>',
  );
}

function documentPieces(name: string, text: string): Pieces {
  return Object.fromEntries(
    parseAllDocuments(text)
      .map((document) => document.toJS() as { kind?: string } | null)
      .filter((document) => document !== null)
      .map((document) => [`${name}/${document.kind}`, document]),
  );
}

type ExpirationTable = {
  readonly certificates: readonly Expiration[];
  readonly certificateAuthorities: readonly Expiration[];
};
type Expiration = {
  readonly name: string;
  readonly expirationDate?: string;
  readonly residualTime?: number;
};

function expirationPieces(name: string, stdout: string): Pieces {
  const table = JSON.parse(stdout) as ExpirationTable;
  // The date follows from the certificate; the time left is rounded, so that a slow run gives the same.
  const row = ({ residualTime = 0, expirationDate, ...rest }: Expiration) => ({
    ...rest,
    hoursLeft: Math.round(residualTime / 3600),
    hasDate: expirationDate !== undefined,
  });
  return {
    [name]: {
      ...table,
      certificates: table.certificates.map(row),
      certificateAuthorities: table.certificateAuthorities.map(row),
    },
  };
}
