import { itemsOf, readFields } from './fields.ts';
import { type Findings, missingIn, type Placed } from './findings.ts';
import type { IgnitionDropin, IgnitionUnit } from './model.ts';
import { shapes } from './schema.ts';
import type { StringNode } from './syntax-tree.ts';
import { parseUnitFile, type UnitFile } from './unit-file.ts';
import { hasInstall } from './unit-install.ts';
import { checkDropinName, checkUnitName } from './unit-name.ts';

/** A unit with where its parts were declared, for the checks across entries. */
export type ReadUnit = {
  readonly unit: IgnitionUnit;
  readonly value: Placed;
  /** Places of the drop-ins, in the order of `unit.dropins`. */
  readonly dropins: readonly Placed[];
  /** The parsed text, where there is one without faults. */
  readonly text?: UnitFile;
};

/** Reads one entry of `systemd.units`. */
export function readUnit(findings: Findings, value: Placed): ReadUnit {
  const fields = readFields(findings, value, shapes.unit);
  const contents = fields.get('contents');
  const enabled = fields.get('enabled');
  const mask = fields.get('mask');
  const name = fields.get('name');
  const text = contents && checkText(findings, contents);
  if (!fields.isMistyped('name')) {
    for (const { name: finding, ...detail } of checkUnitName(name?.node.value ?? '')) {
      findings.add(finding, name ?? missingIn(value, 'name'), detail);
    }
  }
  const dropins = itemsOf(fields.get('dropins'));
  const unit: IgnitionUnit = {
    name: name?.node.value ?? '',
    ...(enabled && { enabled: enabled.node.value }),
    ...(mask && { mask: mask.node.value }),
    ...(contents && { contents: contents.node.value }),
    dropins: dropins.map((dropin) => readDropin(findings, dropin)),
  };
  checkState(findings, value, unit);
  if (unit.enabled === true && text && contents && !hasInstall(text)) {
    findings.add('unit-no-install', contents, {
      message: `${unit.name} is enabled, but has no [Install] section, so enabling does nothing`,
      hint: 'add [Install] with WantedBy=multi-user.target',
    });
  }
  return { unit, value, dropins, ...(text && { text }) };
}

function checkState(findings: Findings, value: Placed, unit: IgnitionUnit): void {
  if (unit.mask !== true) return;
  if (unit.enabled === true) {
    findings.add('enabled-and-masked', value, {
      message: `${unit.name} is enabled and masked; a masked unit is never started`,
    });
  }
  if (unit.contents !== undefined && unit.contents !== '') {
    findings.add('masked-with-contents', value, {
      message: `${unit.name} is masked, so its contents have no effect`,
    });
  }
}

function readDropin(findings: Findings, value: Placed): IgnitionDropin {
  const fields = readFields(findings, value, shapes.dropin);
  const contents = fields.get('contents');
  const name = fields.get('name');
  if (contents) checkText(findings, contents);
  if (!fields.isMistyped('name')) {
    for (const { name: finding, ...detail } of checkDropinName(name?.node.value ?? '')) {
      findings.add(finding, name ?? missingIn(value, 'name'), detail);
    }
  }
  return {
    name: name?.node.value ?? '',
    ...(contents && { contents: contents.node.value }),
  };
}

/** Checks a unit's or drop-in's text; gives it parsed when nothing about it was an error. */
function checkText(findings: Findings, contents: Placed<StringNode>): UnitFile | undefined {
  const { value } = contents.node;
  if (value === '') return undefined;
  const file = parseUnitFile(value);
  for (const { name, message, line } of file.faults) {
    findings.add(name, contents, { message, lineWithin: line });
  }
  const isUsable = file.faults.every(({ name }) => name === 'unit-comment-backslash');
  return isUsable ? file : undefined;
}
