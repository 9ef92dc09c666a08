import type { Severity } from '@slipway/base';
import type { IssueCode } from './errors.ts';

/** What a code means and what to do about it, in full sentences. */
export type CodeEntry = {
  readonly severity: Severity;
  readonly reason: string;
  readonly fix: string;
};

/** Every code that this room reports. */
export const codeCatalogue: Readonly<Record<IssueCode, CodeEntry>> = {
  'pool.selector.empty': {
    severity: 'error',
    reason: 'A selector without any condition selects nothing in a pool, so the pool does nothing.',
    fix: 'Give the pool a machineConfigSelector and a nodeSelector.',
  },
  'pool.selector.worker-missing': {
    severity: 'error',
    reason:
      'A custom pool inherits everything of worker. Without role worker in its selector its nodes would lose what every worker has.',
    fix: 'Let the selector of a custom pool match role worker as well.',
  },
  'pool.max-unavailable.invalid': {
    severity: 'error',
    reason: 'The limit of unavailable nodes cannot be understood, so no update could begin.',
    fix: 'Give a number, or a percentage such as `"20%"`.',
  },
  'machineconfig.role.missing': {
    severity: 'warning',
    reason: 'Pools select MachineConfigs by the role label; without it no pool takes this one.',
    fix: 'Add the label machineconfiguration.alauda.io/role.',
  },
  'machineconfig.field.unknown': {
    severity: 'error',
    reason:
      'The field does not exist, so what it was meant to do would never happen. Names are case-sensitive.',
    fix: 'Remove the field, or spell it as the hint says.',
  },
  'machineconfig.field.type': {
    severity: 'error',
    reason: 'The value has another type than the field takes. Types are never converted.',
    fix: 'Give the field the type that the message names.',
  },
  'machineconfig.field.missing': {
    severity: 'error',
    reason: 'The object lacks a field that it cannot do without.',
    fix: 'Add the field that the message names.',
  },
  'machineconfig.field.value': {
    severity: 'error',
    reason: 'The field takes one of a few words, and this is none of them.',
    fix: 'Write one of the words that the hint lists.',
  },
  'machineconfig.kind.unknown': {
    severity: 'error',
    reason:
      'The document is neither an object of machine configuration nor a bare Ignition config, so nothing could be done with it.',
    fix: 'Write `kind: MachineConfig` with `apiVersion: machineconfiguration.alauda.io/v1alpha1`.',
  },
  'machineconfig.kind.foreign': {
    severity: 'warning',
    reason: 'The object is of a kind that these rules do not know: it was passed over.',
    fix: 'Nothing, if it is meant to be there; the API server checks it when it is applied.',
  },
  'machineconfig.api-version.unknown': {
    severity: 'error',
    reason: 'The object says another API version than the one that slipway serves.',
    fix: 'Write `apiVersion: machineconfiguration.alauda.io/v1alpha1`.',
  },
  'machineconfig.name.invalid': {
    severity: 'error',
    reason:
      'Names of objects have lower-case letters, digits, `-` and `.`, begin and end with a letter or digit, and are at most 253 characters long. The name decides which MachineConfig wins.',
    fix: 'Give the object such a name, as in `99-worker-chrony`.',
  },
  'machineconfig.text.empty': {
    severity: 'error',
    reason: 'The text has no document in it, or only comments.',
    fix: 'Write an object into the file, or leave the file out.',
  },
  'machineconfig.text.encoding': {
    severity: 'error',
    reason: 'The file is not UTF-8: what it says would depend on who reads it.',
    fix: 'Save the file as UTF-8.',
  },
  'machineconfig.text.unreadable': {
    severity: 'error',
    reason: 'The file cannot be read.',
    fix: 'Check the path, and that you may read the file.',
  },
  'machineconfig.kernel-argument.invalid': {
    severity: 'error',
    reason: 'Each entry is one argument of the kernel and becomes part of one line.',
    fix: 'Give one argument per entry, without control characters.',
  },
  'machineconfig.kernel-arguments.irreconcilable': {
    severity: 'error',
    reason:
      'Kernel arguments are changed through the boot loader, and the host has none that slipway knows.',
    fix: 'The host has no boot loader that slipway knows: remove the kernel arguments.',
  },
  'machineconfig.file.force': {
    severity: 'error',
    reason: 'The file asks a daemon to reapply everything: declared, it would do so for ever.',
    fix: 'The force file is made on a host by hand, never by a MachineConfig.',
  },
  'machineconfig.size.too-large': {
    severity: 'error',
    reason: 'The store of the API server takes no object above 1.5 MiB.',
    fix: 'Move big contents elsewhere; the table shows which MachineConfig carries how much.',
  },
  'machineconfig.size.large': {
    severity: 'warning',
    reason: 'Above 1.5 MiB the configuration will be refused, and it is on the way there.',
    fix: 'Plan to make it smaller before it reaches 1.5 MiB.',
  },
  'render.sources.none': {
    severity: 'error',
    reason: 'The selector of the pool matches no MachineConfig, so there is nothing to render.',
    fix: 'Create a MachineConfig that the selector of the pool matches.',
  },
  'machineconfig.convert.dropped': {
    severity: 'warning',
    reason:
      'The input says something that nothing in a MachineConfig is like. It is left out, and hosts will not have it.',
    fix: 'Reach the goal with a file or a unit, or leave it to the installation of the hosts.',
  },
  'machineconfig.convert.changed': {
    severity: 'info',
    reason: 'What the input says has another form here, or another place.',
    fix: 'Read the message: it says what became of it. Nothing is lost.',
  },
  'machineconfig.convert.differs': {
    severity: 'info',
    reason: 'The same declaration has another effect here than where the input comes from.',
    fix: 'Read the message, and declare the effect that is meant.',
  },
  'machineconfig.convert.input-unknown': {
    severity: 'error',
    reason:
      'The document is neither an Ignition config nor a Butane config nor an object of machine configuration of OpenShift.',
    fix: 'Leave the document out, or correct the key that tells what it is: ignition, variant, or apiVersion and kind.',
  },
  'machineconfig.convert.version-unsupported': {
    severity: 'error',
    reason:
      'The version decides what the other fields mean. Experimental versions change without notice, so only published ones are converted.',
    fix: 'Write the published version that the config was written for.',
  },
  'machineconfig.convert.local-file': {
    severity: 'error',
    reason:
      'The config names a file beside it, and the file could not be read. Such files are only read from the directory that was given for them.',
    fix: 'Give the directory with --files-dir, or embed the text.',
  },
  'machineconfig.convert.sources-conflict': {
    severity: 'error',
    reason: 'Contents are given in two ways at once, and only one of them could be meant.',
    fix: 'Keep one of them.',
  },
  'machineconfig.convert.name-missing': {
    severity: 'error',
    reason: 'An Ignition or Butane config has no name, and every MachineConfig needs one.',
    fix: 'Give a name with --name, for example `99-worker-chrony`.',
  },
  'machineconfig.convert.name-twice': {
    severity: 'error',
    reason:
      'Two inputs become objects of one kind and name, and the second would replace the first.',
    fix: 'Give them names of their own, or convert them one by one with --name.',
  },
  'render.sources.name-twice': {
    severity: 'error',
    reason:
      'Two objects of one kind have the same name. In a cluster the one that is applied last would replace the other, so it is not known what to render.',
    fix: 'Rename one of them, or leave one out.',
  },
  'disruption.file.inert': {
    severity: 'warning',
    reason: 'The file is written and nothing is told of it: whatever reads it goes on as before.',
    fix: 'Add a policy for the path, if a service has to notice the change.',
  },
  'disruption.policy.path-invalid': {
    severity: 'warning',
    reason: 'The path of the policy is not absolute and clean, so it matches no file.',
    fix: 'Give an absolute path.',
  },
  'disruption.policy.action-invalid': {
    severity: 'error',
    reason: 'The actions contradict each other or lack the service that they are about.',
    fix: 'Let Reboot and None stand alone; Reload and Restart name a service.',
  },
  'disruption.policy.unit-name-invalid': {
    severity: 'error',
    reason: 'A policy names units in full, as systemd does.',
    fix: 'Give the full unit name with its suffix.',
  },
  'disruption.policy.duplicate': {
    severity: 'warning',
    reason: 'Two policies are for the same path or unit; only the last one counts.',
    fix: 'Keep one policy per path or unit.',
  },
  'disruption.policy.too-many': {
    severity: 'error',
    reason: 'A policy has more actions than the API takes.',
    fix: 'Use a policy for the directory instead of one per file.',
  },
  'disruption.policy.name': {
    severity: 'error',
    reason: 'The disruption policy is that of the cluster, and there is only one.',
    fix: 'There is one MachineConfiguration, named `cluster`.',
  },
};
