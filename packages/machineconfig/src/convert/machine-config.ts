import {
  located,
  memberOf,
  type ObjectMember,
  type ObjectNode,
  type SyntaxNode,
} from '@slipway/ignition';
import { type ButaneConfig, readButane } from './butane-config.ts';
import { type ConversionReport, placeOfMember } from './conversion-report.ts';
import { convertIgnition, type SupportedConfig } from './ignition-config.ts';
import { saysNothing } from './keep-fields.ts';
import type { ReadLocalFile } from './local-file.ts';
import { completeMetadata, convertMetadata, type Identity } from './object-metadata.ts';
import { ownObject } from './own-object.ts';

const osReason = 'the operating system is that of the distribution, and its own tools update it';

/** Fields of OpenShift's spec, and why there is nothing like them. */
const foreignFields: Readonly<Record<string, string>> = {
  osImageURL: osReason,
  baseOSExtensionsContainerImage: osReason,
  extensions: 'packages are installed by the distribution',
  fips: 'FIPS mode is chosen when a host is installed',
  kernelType: 'the kernel is that of the distribution',
};

/** The same fields as Butane spells them. */
const foreignSpellings: Readonly<Record<string, string>> = { kernel_type: 'kernelType' };

/** Makes a MachineConfig of a bare Ignition config. */
export function fromIgnition(
  report: ConversionReport,
  root: SyntaxNode,
  identity: Identity,
): ObjectNode | undefined {
  const config = convertIgnition(report, root);
  const metadata = completeMetadata(report, convertMetadata(report, undefined, root), identity);
  return config && assemble(root, metadata, config);
}

/** Makes a MachineConfig of a Butane config. */
export function fromButane(
  report: ConversionReport,
  root: SyntaxNode,
  identity: Identity,
  readLocal: ReadLocalFile | undefined,
): ObjectNode | undefined {
  const butane = readButane(report, root, readLocal);
  if (butane === undefined) return undefined;
  const config = convertIgnition(report, butane.config);
  const given = convertMetadata(report, butane.metadata, root);
  const metadata = completeMetadata(report, given, identity);
  const more = openShiftArguments(report, butane);
  return (
    config &&
    assemble(root, metadata, { ...config, kernelArguments: [...config.kernelArguments, ...more] })
  );
}

function openShiftArguments(
  report: ConversionReport,
  { openshift }: ButaneConfig,
): readonly SyntaxNode[] {
  if (openshift?.kind !== 'object') return [];
  return openshift.members.flatMap((member) => {
    if (member.key === 'kernel_arguments') {
      return member.value.kind === 'array' ? member.value.items : [member.value];
    }
    dropForeign(report, member);
    return [];
  });
}

/** Makes a MachineConfig of one of OpenShift, or of slipway. */
export function fromMachineConfig(
  report: ConversionReport,
  root: ObjectNode,
  identity: Identity,
  isOpenShift: boolean,
): ObjectNode | undefined {
  const spec = memberOf(root, 'spec');
  const given = convertMetadata(report, memberOf(root, 'metadata'), root);
  // Without a role a MachineConfig is legitimate: only what was asked for is added.
  const metadata =
    identity.role === undefined
      ? nameOnly(report, given, identity)
      : completeMetadata(report, given, identity);
  if (spec === undefined || spec.kind === 'null') return assemble(root, metadata, noConfig);
  if (spec.kind !== 'object') return ownObject('MachineConfig', root, { metadata, spec });
  const raw = memberOf(spec, 'config');
  const hasConfig = raw !== undefined && raw.kind !== 'null';
  const config = hasConfig ? convertIgnition(report, raw) : noConfig;
  if (isOpenShift && config?.config !== undefined) reportFileDefault(report, config.config);
  const own = spec.members.flatMap((member): SyntaxNode[] => {
    if (member.key === 'config') return [];
    if (member.key === 'kernelArguments') return argumentsOf(member.value);
    dropForeign(report, member);
    return [];
  });
  return (
    config &&
    assemble(root, metadata, { ...config, kernelArguments: [...own, ...config.kernelArguments] })
  );
}

function argumentsOf(value: SyntaxNode): SyntaxNode[] {
  if (value.kind === 'null') return [];
  // What is no list becomes an entry that validation refuses at its place.
  return value.kind === 'array' ? [...value.items] : [value];
}

function nameOnly(report: ConversionReport, metadata: SyntaxNode, { name }: Identity): SyntaxNode {
  const hasName = memberOf(metadata, 'name') !== undefined;
  if (hasName || name === undefined) return metadata;
  return completeMetadata(report, metadata, { name });
}

function dropForeign(report: ConversionReport, member: ObjectMember): void {
  const { key, value } = member;
  const name = Object.hasOwn(foreignSpellings, key) ? (foreignSpellings[key] ?? key) : key;
  const isDefault =
    saysNothing(value) ||
    (value.kind === 'boolean' && !value.value) ||
    (name === 'kernelType' && value.kind === 'string' && value.value === 'default');
  if (isDefault) return;
  const reason = Object.hasOwn(foreignFields, name) ? foreignFields[name] : 'it is not known here';
  report.dropped(placeOfMember(member), { message: `${key} has no counterpart: ${reason}` });
}

/** On OpenShift files without a policy reboot; here they do nothing by default. */
function reportFileDefault(report: ConversionReport, config: SyntaxNode): void {
  const storage = memberOf(config, 'storage');
  const files = storage && memberOf(storage, 'files');
  if (files?.kind !== 'array' || files.items.length === 0) return;
  report.differs(files, {
    message:
      'on OpenShift a changed file that no policy names reboots the node; here it disrupts nothing by default',
    hint: 'convert the MachineConfiguration too, or give it defaultNodeDisruptionPolicySpecAction files: [{type: Reboot}]',
  });
}

type Parts = { readonly config?: SyntaxNode; readonly kernelArguments: readonly SyntaxNode[] };
const noConfig: Parts = { kernelArguments: [] };

function assemble(
  root: SyntaxNode,
  metadata: SyntaxNode,
  { config, kernelArguments }: Parts | SupportedConfig,
): ObjectNode {
  const items: SyntaxNode = {
    ...located(kernelArguments[0] ?? root),
    kind: 'array',
    items: kernelArguments,
  };
  const members: ObjectMember[] = [
    ...(config === undefined ? [] : [{ key: 'config', value: config }]),
    ...(kernelArguments.length === 0 ? [] : [{ key: 'kernelArguments', value: items }]),
  ];
  const spec: SyntaxNode = { ...located(root), kind: 'object', members };
  return ownObject('MachineConfig', root, { metadata, spec });
}
