import { requiredImages } from '../image/required-images.ts';
import { imageChecks, initChecks } from '../preflight/check-lists.ts';
import { imagePullText } from '../preflight/image-pull-text.ts';
import { passPreflight } from '../preflight/pass-preflight.ts';
import { beginRun, isOwnTrace, isUnfinished } from '../workflow/unfinished-run.ts';
import type { InitData } from './data.ts';

/**
 * Checks the machine and pulls the images. What an own run that was broken off left behind is no reason
 * to refuse the next one.
 */
export async function checkMachine(data: InitData): Promise<void> {
  const { settings, ground, machineGround, reporter, options, signal } = data;
  const { cluster, init } = settings;
  reporter.phase('preflight', 'checking this machine');
  const request = {
    ground: machineGround,
    reporter,
    ignore: init.nodeRegistration.ignorePreflightErrors,
    ...(signal === undefined ? {} : { signal }),
  };
  const goesOn = await isUnfinished(machineGround.files, 'init');
  if (goesOn) reporter.phase('preflight', 'going on where an earlier init was broken off');
  const checks = initChecks(settings);
  await passPreflight(
    checks.filter(({ name }) => !(goesOn && isOwnTrace(name))),
    request,
  );
  const images = requiredImages(cluster);
  if (options.isDryRun) {
    reporter.phase('dryrun', `would pull ${images.join(', ')}`);
    return;
  }
  if (ground.run === undefined) {
    reporter.phase('preflight', 'no images are pulled: nothing runs on this folder');
  } else {
    reporter.phase('preflight', imagePullText(settings));
    await passPreflight(imageChecks(settings), request);
  }
  await beginRun(ground.files, 'init');
}
