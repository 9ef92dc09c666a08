import { describeError } from '@slipway/base';
import { isEnabled } from '../../drift/enablement.ts';
import type { Step, UpdateContext } from '../step.ts';
import type { UnitChange } from '../update-plan.ts';

/** Enables, disables or presets units, now that their files are in place. Starts and stops nothing. */
export const linkUnits: Step = {
  name: 'enable and disable units',
  code: 'daemon.unit-links-failed',

  isDone: () => Promise.resolve(false),

  async apply(context) {
    for (const unit of context.journal().plan.units) await link(context, unit);
  },

  /** Takes back what was enabled, while the new file names the links; the rest is `unlinkUnits`' to undo. */
  async undo({ host, journal }) {
    for (const { name, before, disableFirst, after } of [...journal().plan.units].reverse()) {
      const linked = after === 'enable' || after === 'preset';
      // Links of an unchanged [Install] are the old ones: they stay.
      if (!linked || (isEnabled(before) && !disableFirst)) continue;
      const now = await host.systemd.status(name);
      if (isEnabled(now.unitFileState)) await host.systemd.disable(name);
    }
  },
};

async function link({ host, logger }: UpdateContext, unit: UnitChange): Promise<void> {
  switch (unit.after) {
    case 'enable':
      // systemd refuses to take over an alias that leads elsewhere.
      for (const { path, target } of unit.brokenLinks ?? []) {
        if (target !== undefined) await host.files.remove(path);
      }
      return host.systemd.enable(unit.name);
    case 'disable':
      return host.systemd.disable(unit.name);
    case 'preset':
      try {
        await host.systemd.preset(unit.name);
      } catch (error) {
        // The unit leaves the configuration: whether the vendor has an opinion on it is not our failure.
        logger.warn('preset failed', { unit: unit.name, error: describeError(error) });
      }
      return;
    case 'keep':
      return;
  }
}
