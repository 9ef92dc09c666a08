import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  bootUser,
  disabledUnits,
  enabledUnits,
  imageFiles,
  imagePackages,
  maskedUnits,
} from './image-files.ts';
import { withLock } from './lock.ts';
import { unmountBelow } from './mounts.ts';
import { need } from './need.ts';

const suite = 'bookworm';

/** Building takes half a minute on a good line; mirrors can be slow. */
const buildTimeoutMs = 20 * 60_000;

/** Where the image for this version of the recipe is, or will be. */
export function imagePathIn(cacheDirectory: string): string {
  const recipe = JSON.stringify([
    suite,
    imagePackages,
    maskedUnits,
    disabledUnits,
    enabledUnits,
    imageFiles,
    bootUser,
  ]);
  const digest = createHash('sha256').update(recipe).digest('hex').slice(0, 12);
  return join(cacheDirectory, `${suite}-${digest}`);
}

/** Builds the base image unless it is in the cache. Processes that want it at once build it once. */
export async function ensureImage(
  cacheDirectory: string,
  onBuild: () => void = () => undefined,
): Promise<string> {
  const image = imagePathIn(cacheDirectory);
  if (existsSync(image)) return image;
  mkdirSync(cacheDirectory, { recursive: true });
  await withLock(`${image}.lock`, async () => {
    if (existsSync(image)) return;
    onBuild();
    const unfinished = `${image}.new`;
    // A build that was killed may have left mounts of this computer's /dev and /proc in there.
    await unmountBelow(unfinished);
    rmSync(unfinished, { recursive: true, force: true });
    await bootstrap(unfinished);
    await furnish(unfinished);
    renameSync(unfinished, image);
  });
  return image;
}

async function bootstrap(target: string): Promise<void> {
  const excludes = ['man', 'doc', 'locale', 'info'].map(
    (folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`,
  );
  const argv = ['mmdebstrap', '--mode=root', '--variant=minbase', '--quiet'];
  const packages = `--include=${imagePackages.join(',')}`;
  const recommends = '--aptopt=Apt::Install-Recommends "false"';
  await need('host.nspawn.image', [...argv, packages, recommends, ...excludes, suite, target], {
    timeoutMs: buildTimeoutMs,
    environment: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}

async function furnish(root: string): Promise<void> {
  for (const [path, content] of Object.entries(imageFiles)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content, { mode: 0o644 });
  }
  rmSync(join(root, 'etc/hostname'), { force: true });
  addBootUser(root);
  // Caches of the package tools are of no use in a machine without a network.
  for (const path of ['var/lib/apt/lists', 'var/cache/apt']) {
    rmSync(join(root, path), { recursive: true, force: true });
  }
  const systemctl = ['systemctl', `--root=${root}`, '--quiet'];
  await need('host.nspawn.image', [...systemctl, 'disable', ...disabledUnits]);
  await need('host.nspawn.image', [...systemctl, 'enable', ...enabledUnits]);
  await need('host.nspawn.image', [...systemctl, 'mask', ...maskedUnits]);
}

function addBootUser(root: string): void {
  const { name, id, home } = bootUser;
  const row = `${name}:x:${id}:${id}:node administrator:${home}:/bin/bash\n`;
  appendFileSync(join(root, 'etc/passwd'), row);
  appendFileSync(join(root, 'etc/group'), `${name}:x:${id}:\n`);
  // No password: keys only.
  appendFileSync(join(root, 'etc/shadow'), `${name}:!:19000:0:99999:7:::\n`);
  mkdirSync(join(root, home), { recursive: true });
  chmodSync(join(root, home), 0o700);
  chownSync(join(root, home), id, id);
}
