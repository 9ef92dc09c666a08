import { recordReboot } from '../../state/attempts.ts';
import type { Step } from '../step.ts';

/** Asks the machine to reboot, and journals in which boot that was. */
export const reboot: Step = {
  name: 'reboot',
  code: 'daemon.reboot-failed',

  isDone: () => Promise.resolve(false),

  async apply(context) {
    const { host, files, now, record, target } = context;
    await recordReboot(files, { config: target.config.name, atMs: now() });
    await record({ phase: 'rebooting', bootId: await host.boot.id() });
    await host.boot.reboot(`machine configuration ${target.config.name}`);
  },

  undo: () => Promise.resolve(),
};
