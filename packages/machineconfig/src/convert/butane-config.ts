import {
  located,
  memberOf,
  nearestKey,
  nestedShapeOf,
  type ObjectMember,
  type ObjectShape,
  type SyntaxNode,
  shapes,
} from '@slipway/ignition';
import { type ButaneContext, desugar, sugarKeys } from './butane-sugar.ts';
import { type ButaneVersion, readButaneVersion } from './butane-version.ts';
import { type ConversionReport, placeOfMember } from './conversion-report.ts';
import { saysNothing } from './keep-fields.ts';
import type { ReadLocalFile } from './local-file.ts';

/** A Butane config as what it is sugar over. */
export type ButaneConfig = {
  readonly variant: ButaneVersion['variant'];
  /** Ignition 3.x of the version that the Butane version stands for. */
  readonly config: SyntaxNode;
  /** Metadata of the object, which variant openshift has. */
  readonly metadata?: SyntaxNode;
  /** What variant openshift says beside the config. */
  readonly openshift?: SyntaxNode;
};

const hostOnly = 'disks and boot loader are prepared when hosts are installed';

/** Sections of Butane that nothing in a MachineConfig is like. */
const droppedSections: Readonly<Record<string, string>> = { boot_device: hostOnly, grub: hostOnly };

const sections = ['ignition', 'storage', 'systemd', 'passwd'];
const kernelArguments = 'kernel_arguments';
const openshiftSections = ['metadata', 'openshift'];

/** Translates a Butane config; `undefined`, and reported, when its version is none that can be. */
export function readButane(
  report: ConversionReport,
  root: SyntaxNode,
  readLocal: ReadLocalFile | undefined,
): ButaneConfig | undefined {
  const version = readButaneVersion(report, root);
  if (version === undefined || root.kind !== 'object') return undefined;
  const context = { report, readLocal, minor: version.minor };
  const known = knownSections(version);
  const members = root.members.flatMap((member) => {
    const { key } = member;
    if (openshiftSections.includes(key) && known.includes(key)) return [];
    if (['variant', 'version'].includes(key)) return [];
    return known.includes(key)
      ? translateSection(context, member)
      : leaveOut(context, member, known);
  });
  const openshift = version.variant === 'openshift' ? memberOf(root, 'openshift') : undefined;
  const metadata = version.variant === 'openshift' ? memberOf(root, 'metadata') : undefined;
  return {
    variant: version.variant,
    config: { ...root, members: withVersion(members, version.minor, root) },
    ...(metadata && { metadata }),
    ...(openshift && { openshift }),
  };
}

function knownSections({ variant, minor }: ButaneVersion): readonly string[] {
  if (variant === 'openshift') return [...sections, ...openshiftSections];
  return minor >= 3 ? [...sections, kernelArguments] : sections;
}

function translateSection(context: ButaneContext, member: ObjectMember): ObjectMember[] {
  const key = member.key === kernelArguments ? 'kernelArguments' : member.key;
  const shape =
    key === 'kernelArguments' ? shapes.kernelArguments : nestedShapeOf(shapes.config, key);
  return [
    { ...member, key, value: shape ? translate(context, member.value, shape) : member.value },
  ];
}

/** Every Ignition config says its version, and no Butane config does there. */
function withVersion(
  members: readonly ObjectMember[],
  minor: number,
  root: SyntaxNode,
): readonly ObjectMember[] {
  const version: ObjectMember = {
    key: 'version',
    value: { ...located(memberOf(root, 'version') ?? root), kind: 'string', value: `3.${minor}.0` },
  };
  const ignition = members.find(({ key }) => key === 'ignition')?.value ?? emptyAt(root);
  const inner = ignition.kind === 'object' ? ignition.members : [];
  const isSection = ignition.kind === 'object' || ignition.kind === 'null';
  const value: SyntaxNode = isSection
    ? { ...located(ignition), kind: 'object', members: [version, ...inner] }
    : ignition;
  return [{ key: 'ignition', value }, ...members.filter(({ key }) => key !== 'ignition')];
}

function emptyAt(node: SyntaxNode): SyntaxNode {
  return { ...located(node), kind: 'object', members: [] };
}

/** The value with the names of Ignition's fields. */
function translate(context: ButaneContext, node: SyntaxNode, shape: ObjectShape): SyntaxNode {
  if (node.kind === 'array') {
    return { ...node, items: node.items.map((item) => translate(context, item, shape)) };
  }
  if (node.kind !== 'object') return node;
  const names = fieldNames(shape);
  const sugar = Object.entries(sugarKeys.get(shape) ?? {})
    .filter(([, since]) => since <= context.minor)
    .map(([key]) => key);
  const members = node.members.flatMap((member) => {
    if (sugar.includes(member.key)) return [member];
    const name = names.get(member.key);
    if (name === undefined) return leaveOut(context, member, [...names.keys(), ...sugar]);
    const inner = innerShape(shape, name);
    return [
      {
        ...member,
        key: name,
        value: inner ? translate(context, member.value, inner) : member.value,
      },
    ];
  });
  return desugar(context, { ...node, members }, shape);
}

/** Parts that are appended are contents too, though the section is not supported as it is. */
function innerShape(shape: ObjectShape, name: string): ObjectShape | undefined {
  if (shape === shapes.file && name === 'append') return shapes.contents;
  return nestedShapeOf(shape, name);
}

/** Ignition's field names by their spelling in Butane. */
function fieldNames(shape: ObjectShape): ReadonlyMap<string, string> {
  const names = [...Object.keys(shape.fields), ...Object.keys(shape.unsupported)].filter(
    // The version of the document says it.
    (name) => !(shape === shapes.ignition && name === 'version'),
  );
  return new Map(names.map((name) => [snakeCase(name), name]));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function leaveOut(
  { report }: ButaneContext,
  member: ObjectMember,
  known: readonly string[],
): ObjectMember[] {
  const { key } = member;
  const reason = Object.hasOwn(droppedSections, key) ? droppedSections[key] : undefined;
  if (reason !== undefined) {
    if (!saysNothing(member.value)) {
      report.dropped(placeOfMember(member), { message: `${key} has no counterpart: ${reason}` });
    }
    return [];
  }
  const nearest = nearestKey(key, known);
  report.dropped(placeOfMember(member), {
    message: `${JSON.stringify(key)} is not a field of this version of Butane, which ignores it`,
    hint: nearest === undefined ? 'remove the key' : `did you mean ${nearest}?`,
  });
  return [];
}
