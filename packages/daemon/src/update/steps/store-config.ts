import {
  readStoredConfig,
  removeStoredConfig,
  writeStoredConfig,
} from '../../state/stored-config.ts';
import type { Step } from '../step.ts';

/** Records on the host which configuration it has now. */
export const storeConfig: Step = {
  name: 'store configuration',
  code: 'daemon.write-failed',

  async isDone({ files, target }) {
    return (await readStoredConfig(files, 'current'))?.name === target.config.name;
  },

  async apply({ files, target }) {
    await writeStoredConfig(files, 'current', target.config);
  },

  async undo({ files, previous }) {
    if (previous === undefined) await removeStoredConfig(files, 'current');
    else await writeStoredConfig(files, 'current', previous.config);
  },
};
