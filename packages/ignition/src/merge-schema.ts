/**
 * How a value of an Ignition document is merged.
 * - `value`: the child's wins when it is there; also for structures that are replaced as a unit.
 * - `plain`: the child's wins even when it is absent, as Ignition does for fields that cannot be null.
 * - `struct`: field by field. Fields that are not listed are values.
 * - `keyed`: a list whose entries are matched by a key; `siblings` are lists of the same parent that share its
 *   keys, so that an entry moves from one list to the other.
 * - `texts`: a list of texts, each its own key.
 * - `joined`: parent's entries, then the child's.
 */
export type MergeRule =
  | { readonly kind: 'value' | 'plain' | 'joined' }
  | { readonly kind: 'struct'; readonly fields: Readonly<Record<string, MergeRule>> }
  | {
      readonly kind: 'keyed';
      readonly key: string;
      readonly entry: MergeRule;
      readonly siblings: readonly string[];
    }
  | { readonly kind: 'texts'; readonly siblings: readonly string[] };

export const valueRule: MergeRule = { kind: 'value' };
const plain: MergeRule = { kind: 'plain' };
const joined: MergeRule = { kind: 'joined' };

function struct(fields: Readonly<Record<string, MergeRule>>): MergeRule {
  return { kind: 'struct', fields };
}

function keyed(
  key: string,
  fields: Readonly<Record<string, MergeRule>>,
  siblings: readonly string[] = [],
): MergeRule {
  return { kind: 'keyed', key, entry: struct({ [key]: plain, ...fields }), siblings };
}

const texts: MergeRule = { kind: 'texts', siblings: [] };

/**
 * Ignition's merge, entry by entry, with one difference: `contents`, `user` and `group` are values. Merged by
 * field, a child's new source would keep the parent's compression and hash, and an owner could end up with both
 * an id and a name.
 */
export const mergeSchema: MergeRule = struct({
  ignition: struct({
    version: plain,
    config: struct({ merge: keyed('source', {}) }),
    proxy: struct({ noProxy: texts }),
    security: struct({ tls: struct({ certificateAuthorities: keyed('source', {}) }) }),
    timeouts: struct({}),
  }),
  kernelArguments: struct({
    shouldExist: { kind: 'texts', siblings: ['shouldNotExist'] },
    shouldNotExist: { kind: 'texts', siblings: ['shouldExist'] },
  }),
  passwd: struct({
    groups: keyed('name', {}),
    users: keyed('name', { sshAuthorizedKeys: texts, groups: texts }),
  }),
  storage: struct({
    files: keyed('path', { append: joined }, ['directories', 'links']),
    directories: keyed('path', {}, ['files', 'links']),
    links: keyed('path', {}, ['files', 'directories']),
    disks: keyed('device', {}),
    filesystems: keyed('device', { options: joined, mountOptions: joined }),
    luks: keyed('name', { options: joined }),
    raid: keyed('name', { options: joined }),
  }),
  systemd: struct({
    units: keyed('name', { dropins: keyed('name', {}) }),
  }),
});
