import type { CustomResourceDefinition } from '../../kubernetes/types.ts';
import { ageColumn, atomicList, definition, object, rules, text } from './schema.ts';

/** The only Ignition version that `spec.config` may be written in. */
export const ignitionVersion = '3.4.0';

// Only what a rule reads is spelled out; room `ignition` judges the rest, with better messages.
const config = object(
  'An Ignition document of version 3.4.0: files, systemd units and SSH keys of the user boot.',
  {
    ignition: object(
      'Says which version of the Ignition specification the document follows.',
      { version: text('Version of the Ignition specification; 3.4.0 is the one that is read.') },
      {
        'x-kubernetes-preserve-unknown-fields': true,
        ...rules({
          rule: `!has(self.version) || self.version == '${ignitionVersion}'`,
          message: `ignition version must be ${ignitionVersion}`,
        }),
      },
    ),
  },
  { 'x-kubernetes-preserve-unknown-fields': true },
);

export const machineConfigDefinition: CustomResourceDefinition = definition({
  kind: 'MachineConfig',
  shortName: 'mc',
  description:
    'Part of the declared state of hosts. A pool merges all MachineConfigs that it selects into one rendered MachineConfig.',
  spec: object('What the hosts shall have.', {
    config,
    kernelArguments: atomicList(
      'Arguments that are added to the kernel command line, in this order.',
      { type: 'string' },
      { nullable: true },
    ),
  }),
  columns: [
    {
      name: 'IgnitionVersion',
      type: 'string',
      jsonPath: '.spec.config.ignition.version',
      description: 'Ignition version that the configuration is written in.',
    },
    ageColumn,
  ],
});
