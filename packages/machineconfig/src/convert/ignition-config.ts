import {
  liftTree,
  memberOf,
  type ObjectMember,
  type SyntaxNode,
  type SyntaxTree,
  shapes,
} from '@slipway/ignition';
import { type ConversionReport, placeOfMember } from './conversion-report.ts';
import { foldAppended } from './fold-appended.ts';
import { keepFields } from './keep-fields.ts';
import { keepUsers } from './keep-users.ts';

/** What a MachineConfig has of an Ignition config. */
export type SupportedConfig = {
  /** Ignition 3.4.0 of supported sections, not validated. */
  readonly config: SyntaxNode;
  /** What belongs into `spec.kernelArguments`. */
  readonly kernelArguments: readonly SyntaxNode[];
};

/**
 * Converts an Ignition config of any version to what a MachineConfig can declare. What it cannot is reported;
 * `undefined` when the version cannot be converted.
 */
export function convertIgnition(
  report: ConversionReport,
  root: SyntaxNode,
): SupportedConfig | undefined {
  const given: SyntaxTree = { root, ...(report.source && { source: report.source }) };
  const { tree, issues } = liftTree(given, root.origin ?? '');
  report.addLifting(issues);
  return tree && keepSupported(report, tree.root);
}

function keepSupported(report: ConversionReport, root: SyntaxNode): SupportedConfig {
  const kernelArguments: SyntaxNode[] = [];
  const config = keepFields(report, root, shapes.config, {
    ignition: (ignition) =>
      keepFields(report, ignition, shapes.ignition, {
        config: (inner) => keepFields(report, inner, shapes.ignitionConfig),
      }),
    storage: (storage) =>
      keepFields(report, storage, shapes.storage, { files: (files) => keepFiles(report, files) }),
    passwd: (passwd) =>
      keepFields(report, passwd, shapes.passwd, {
        users: (users) =>
          users.kind === 'array' ? { ...users, items: keepUsers(report, users.items) } : users,
      }),
    kernelArguments: (section) => {
      if (!isMovable(section)) return section;
      kernelArguments.push(...moveArguments(report, section));
      return undefined;
    },
  });
  return { config: withoutEmptyUsers(config), kernelArguments };
}

function keepFiles(report: ConversionReport, files: SyntaxNode): SyntaxNode {
  if (files.kind !== 'array') return files;
  const items = files.items.flatMap((file): SyntaxNode[] => {
    if (file.kind !== 'object') return [file];
    const folded = foldAppended(report, file);
    return folded === undefined ? [] : [folded];
  });
  return { ...files, items };
}

/** A section of another form stays where it is, and validation says what is wrong with it. */
function isMovable(section: SyntaxNode): boolean {
  if (section.kind !== 'object') return section.kind === 'null';
  return section.members.every(
    ({ key, value }) =>
      Object.hasOwn(shapes.kernelArguments.fields, key) &&
      (value.kind === 'array' || value.kind === 'null'),
  );
}

function moveArguments(report: ConversionReport, section: SyntaxNode): readonly SyntaxNode[] {
  const unwanted = memberOf(section, 'shouldNotExist');
  if (unwanted?.kind === 'array') {
    for (const argument of unwanted.items) {
      report.dropped(argument, {
        message: 'kernel arguments are only added: there is no list of those that shall be absent',
      });
    }
  }
  const members = section.kind === 'object' ? section.members : [];
  const wanted = members.findLast((member) => member.key === 'shouldExist');
  if (wanted?.value.kind !== 'array' || wanted.value.items.length === 0) return [];
  report.changed(placeOfMember(wanted), {
    message:
      'kernel arguments move to spec.kernelArguments, and stay while the MachineConfig has them',
  });
  return wanted.value.items;
}

/** No users at all is not the same as the user without keys; an empty list of them is no statement. */
function withoutEmptyUsers(config: SyntaxNode): SyntaxNode {
  if (config.kind !== 'object') return config;
  const members = config.members.filter(
    (member: ObjectMember) => !(member.key === 'passwd' && hasNoUsers(member.value)),
  );
  return { ...config, members };
}

function hasNoUsers(passwd: SyntaxNode): boolean {
  if (passwd.kind !== 'object') return false;
  return passwd.members.every(
    ({ key, value }) => key === 'users' && value.kind === 'array' && value.items.length === 0,
  );
}
