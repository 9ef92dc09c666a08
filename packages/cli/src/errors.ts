/** Every error code that this room raises: what it means and what the user can do. */
export const cliErrors = {
  'cli.usage': {
    meaning: 'the command line cannot be understood',
    remedy: 'see `slipway --help` or `slipway <command> --help`',
  },
  'cli.not-in-this-version': {
    meaning: 'the command belongs to a mode that this version does not have',
    remedy:
      'clusters are made with `slipway init` and `join`, and tried with `slipway up`; the rest comes later',
  },
  'cli.interrupted': {
    meaning: 'the command was stopped by SIGINT or SIGTERM before its end',
    remedy:
      'run the same command again: it goes on where it stopped; `slipway reset` undoes init and join',
  },
  'cli.bootstrap.rootfs': {
    meaning: 'the folder of --rootfs does not exist, or none is given',
    remedy: 'give an existing directory; an empty one is enough',
  },
  'cli.bootstrap.busy': {
    meaning: 'another slipway is changing the same machine, or the same folder of --rootfs',
    remedy: 'wait until it has ended, or end it',
  },
  'cli.bootstrap.input': {
    meaning: 'a file or directory that a flag names cannot be read',
    remedy: 'correct the path; it is looked for inside --rootfs first, then as given',
  },
  'cli.bootstrap.configuration': {
    meaning: 'a configuration file is refused',
    remedy: 'correct what the lines above the error name',
  },
  'cli.bootstrap.kubeconfig': {
    meaning: 'no kubeconfig of an administrator was found',
    remedy: 'run on a control plane, or give one with --kubeconfig',
  },
  'cli.up.in-use': {
    meaning: 'another `slipway up` runs on the data directory',
    remedy: 'stop it with Ctrl-C, or give another directory with --data',
  },
  'cli.up.port-in-use': {
    meaning: 'the port that was asked for is taken',
    remedy: 'give another with --port, or none: then a free one is chosen',
  },
  'cli.up.unusable-file': {
    meaning: 'a file that the cluster keeps or writes cannot be read or written',
    remedy: 'correct what the message names: owner, mode, a directory in its place, a full disk',
  },
  'cli.up.foreign-kubeconfig': {
    meaning: 'the kubeconfig path holds a file that is not of this cluster',
    remedy: 'give another path with --kubeconfig; nothing was overwritten',
  },
  'cli.up.fewer-hosts': {
    meaning: 'fewer hosts were asked for than the data directory has',
    remedy: 'start with at least as many, or use a new directory with --data for a smaller cluster',
  },
  'cli.up.other-hosts': {
    meaning: 'the data directory was made with hosts of another kind',
    remedy: 'give the same --hosts as before, or a new directory with --data',
  },
  'cli.up.foreign-data': {
    meaning: 'the data directory is not empty and was not made by `slipway up`',
    remedy: 'give an empty or new directory with --data',
  },
  'cli.up.nspawn-unavailable': {
    meaning: 'this machine cannot start systemd-nspawn hosts',
    remedy:
      'do what the message says (root, Linux, systemd-container, mmdebstrap, no other `slipway up` on the machines), or use --hosts simulated',
  },
  'cli.up.no-bundle': {
    meaning: 'nspawn hosts run the bundled programs, which are not built',
    remedy: 'run `npm run build` first',
  },
  'cli.up.unusable-data': {
    meaning: 'the data directory cannot be created or written',
    remedy: 'give a directory that you may write with --data',
  },
  'cli.machine-config.unknown-code': {
    meaning: 'no finding has the code that was to be explained',
    remedy: 'copy the code from between the brackets of `error[CODE]`',
  },
  'cli.machine-config.not-one': {
    meaning: 'a file has none or several configurations where one is needed',
    remedy: 'render several into one first: `slipway machine-config render --pool NAME FILE…`',
  },
  'cli.machine-config.policy-unknown': {
    meaning: 'the policy file does not hold exactly one MachineConfiguration',
    remedy:
      'give a file with MachineConfiguration `cluster`: `kubectl get machineconfiguration cluster -o yaml`',
  },
  'cli.machine-config.directory': {
    meaning: 'a directory cannot be read, or not be written to',
    remedy: 'give another directory; for --to one that is empty or does not exist yet',
  },
  'cli.demo.step': {
    meaning: 'a step of the demo did not hold',
    remedy: 'run again with --keep to look at the data directory, whose logs/ tells more',
  },
} as const satisfies Record<string, { readonly meaning: string; readonly remedy: string }>;

export type CliErrorCode = keyof typeof cliErrors;
