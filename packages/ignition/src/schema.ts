/** JSON type that a field takes. */
export type FieldType = 'string' | 'integer' | 'boolean' | 'object' | 'array';

/** The fields of one kind of object. */
export type ObjectShape = {
  readonly fields: Readonly<Record<string, FieldType>>;
  /** Fields that Ignition 3.4.0 has and that are refused here, each with its reason. */
  readonly unsupported: Readonly<Record<string, string>>;
};

const firstBoot = 'it prepares disks before the first boot, and a running host keeps its disks';
const noNetwork = 'nothing is fetched from a network: contents are embedded as data URLs';
const accountsOnly = 'of accounts, only the SSH keys of user boot are managed';
const filesOnly = 'only files are managed; the parent directories of a file are made with it';

function refuse(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

/** Fields that are only read to refuse them well. */
export const refusedFields: readonly string[] = ['httpHeaders', 'kernelArguments'];

/** The supported part of Ignition 3.4.0, and what of the rest is known by name. */
export const shapes = {
  config: {
    fields: {
      ignition: 'object',
      storage: 'object',
      systemd: 'object',
      passwd: 'object',
      kernelArguments: 'object',
    },
    unsupported: {},
  },
  ignition: {
    fields: { version: 'string', config: 'object' },
    unsupported: refuse(noNetwork, ['proxy', 'security', 'timeouts']),
  },
  ignitionConfig: {
    fields: {},
    unsupported: refuse('MachineConfigs are merged by the pool that selects them', [
      'merge',
      'replace',
    ]),
  },
  kernelArguments: { fields: { shouldExist: 'array', shouldNotExist: 'array' }, unsupported: {} },
  storage: {
    fields: { files: 'array' },
    unsupported: {
      ...refuse(filesOnly, ['directories', 'links']),
      ...refuse(firstBoot, ['disks', 'filesystems', 'luks', 'raid']),
    },
  },
  file: {
    fields: {
      path: 'string',
      mode: 'integer',
      user: 'object',
      group: 'object',
      overwrite: 'boolean',
      contents: 'object',
    },
    unsupported: { append: 'a file is always declared as a whole' },
  },
  owner: { fields: { id: 'integer', name: 'string' }, unsupported: {} },
  contents: {
    fields: {
      source: 'string',
      compression: 'string',
      verification: 'object',
      httpHeaders: 'array',
    },
    unsupported: {},
  },
  verification: { fields: { hash: 'string' }, unsupported: {} },
  systemd: { fields: { units: 'array' }, unsupported: {} },
  unit: {
    fields: {
      name: 'string',
      enabled: 'boolean',
      mask: 'boolean',
      contents: 'string',
      dropins: 'array',
    },
    unsupported: {},
  },
  dropin: { fields: { name: 'string', contents: 'string' }, unsupported: {} },
  passwd: { fields: { users: 'array' }, unsupported: refuse(accountsOnly, ['groups']) },
  user: {
    fields: { name: 'string', sshAuthorizedKeys: 'array' },
    unsupported: refuse(accountsOnly, [
      'gecos',
      'groups',
      'homeDir',
      'noCreateHome',
      'noLogInit',
      'noUserGroup',
      'passwordHash',
      'primaryGroup',
      'shell',
      'shouldExist',
      'system',
      'uid',
    ]),
  },
} as const satisfies Record<string, ObjectShape>;
