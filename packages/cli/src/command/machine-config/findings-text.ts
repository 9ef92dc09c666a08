import { renderIssue } from '@slipway/ignition';
import { inputName } from '../input-name.ts';
import type { ConfigFile } from './config-file.ts';

/** The findings of a file as a compiler shows them, an empty line between two. */
export function findingsText({
  file,
  source,
  issues,
}: Pick<ConfigFile, 'file' | 'source' | 'issues'>): string {
  const fileName = inputName(file);
  return issues.map((issue) => renderIssue(issue, source, { fileName })).join('\n');
}
