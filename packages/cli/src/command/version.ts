import type { Output } from '../output.ts';
import { version } from '../version.ts';

export type VersionFormat = 'text' | 'short' | 'json' | 'yaml';

/** `slipway version`: one line, the version alone (`short`), or the same facts as JSON or YAML. */
export function printVersion(output: Output, format: VersionFormat): void {
  const facts = {
    version,
    nodeVersion: process.version,
    platform: `${process.platform}/${process.arch}`,
  };
  switch (format) {
    case 'json':
      output.line(JSON.stringify(facts, undefined, 2));
      break;
    case 'yaml':
      for (const [key, value] of Object.entries(facts)) output.line(`${key}: ${value}`);
      break;
    case 'short':
      output.line(version);
      break;
    case 'text':
      output.line(`slipway ${version} (Node ${facts.nodeVersion}, ${facts.platform})`);
  }
}
