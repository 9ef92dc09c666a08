import type { Step } from './step.ts';
import { commitFiles } from './steps/commit-files.ts';
import { confirmServices } from './steps/confirm-services.ts';
import { linkUnits } from './steps/link-units.ts';
import { reboot } from './steps/reboot.ts';
import { runAction } from './steps/run-action.ts';
import { saveOriginals } from './steps/save-originals.ts';
import { stageFiles } from './steps/stage-files.ts';
import { stopVanishingUnits } from './steps/stop-vanishing-units.ts';
import { storeConfig } from './steps/store-config.ts';
import { unlinkUnits } from './steps/unlink-units.ts';
import { verify } from './steps/verify.ts';
import type { UpdatePlan } from './update-plan.ts';

/** The steps of a plan, always the same for the same plan: the journal knows them by index. */
export function stepsOf(plan: UpdatePlan): readonly Step[] {
  return [
    saveOriginals,
    stageFiles,
    stopVanishingUnits,
    unlinkUnits,
    commitFiles,
    linkUnits,
    storeConfig,
    ...plan.actions.map(runAction),
    confirmServices,
    verify,
    ...(plan.reboot ? [reboot] : []),
  ];
}
