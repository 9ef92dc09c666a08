import { type Command, Option } from 'commander';
import type { CommandContext } from '../program.ts';
import type { PreflightCommandName } from './preflight.ts';
import { addFlags, flagValues } from './workflow-flags.ts';

/** Flags that change what is checked, by the command whose checks are run. */
const flagsOf: Readonly<Record<PreflightCommandName, readonly string[]>> = {
  init: [
    'apiserver-advertise-address',
    'apiserver-bind-port',
    'cert-dir',
    'config',
    'control-plane-endpoint',
    'cri-socket',
    'ignore-preflight-errors',
    'image-repository',
    'kubernetes-version',
    'node-ip',
    'node-name',
    'pod-network-cidr',
    'service-cidr',
  ],
  join: [
    'apiserver-advertise-address',
    'apiserver-bind-port',
    'certificate-key',
    'config',
    'control-plane',
    'cri-socket',
    'discovery-file',
    'discovery-token',
    'discovery-token-ca-cert-hash',
    'discovery-token-unsafe-skip-ca-verification',
    'ignore-preflight-errors',
    'node-ip',
    'node-name',
    'tls-bootstrap-token',
    'token',
  ],
  upgrade: ['config', 'cri-socket', 'ignore-preflight-errors', 'kubernetes-version'],
  reset: ['config', 'ignore-preflight-errors'],
};

const descriptions: Readonly<Record<PreflightCommandName, string>> = {
  init: 'what `slipway init` would check on this machine; no image is pulled',
  join: 'what `slipway join` would check on this machine and ask of the cluster',
  upgrade: 'what an upgrade would check on this machine',
  reset: 'what `slipway reset` would check on this machine',
};

const names = ['init', 'join', 'upgrade', 'reset'] as const;

/** Puts `preflight init|join|upgrade|reset` below the program. */
export function addPreflightCommand(program: Command, context: CommandContext): void {
  const preflight = program
    .command('preflight')
    .description(
      'check a machine and change nothing; exit code 2 when something stands in the way',
    );
  for (const name of names) {
    const command = preflight.command(name).description(descriptions[name]);
    if (name === 'join') command.argument('[api-server-endpoint]');
    addFlags(command, flagsOf[name]);
    command
      .addOption(
        new Option('-o, --output <format>', 'form of the answer')
          .choices(['text', 'json', 'yaml'])
          .default('text'),
      )
      .addHelpText('after', `\nExamples:\n  slipway preflight ${name} -o json`)
      .action(async () => {
        const { output, ...flags } = flagValues(command);
        const { runPreflightCommand } = await import('./preflight.ts');
        const format = output === 'json' || output === 'yaml' ? output : 'text';
        await runPreflightCommand({ name, flags, words: command.args, format }, context);
      });
  }
}
