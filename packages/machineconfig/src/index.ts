/**
 * `@slipway/machineconfig`: the rules of machine configuration, pure. What is rendered, how two
 * configurations differ, what a change disrupts, which nodes come next, and how a pool is doing.
 * Runs in a browser; knows no API and no machine.
 */
export { type CodeEntry, codeCatalogue } from './code-catalogue.ts';
export {
  type ConversionOptions,
  type ConversionSource,
  convertDocument,
  type DocumentConversion,
} from './convert/convert-document.ts';
export {
  type Conversion,
  type ConversionText,
  convertTexts,
  type TextConversion,
} from './convert/convert-texts.ts';
export type { LocalFile, ReadLocalFile } from './convert/local-file.ts';
export type { Identity } from './convert/object-metadata.ts';
export {
  type ChangeKind,
  type ConfigDiff,
  diffConfigs,
  type FileChange,
  type HostConfig,
  isEmptyDiff,
  type ListChange,
  type UnitChange,
} from './diff/config-diff.ts';
export { type DiffLinesOptions, diffLines } from './diff/diff-lines.ts';
export { forceFilePath, type HostAbilities, reconcilable } from './diff/reconcilable.ts';
export { isSecretFile } from './diff/secret-files.ts';
export { type DiffLine, unifiedDiff } from './diff/unified-diff.ts';
export { inertIssues } from './disruption/inert-issues.ts';
export {
  type DisruptionPlan,
  describeAction,
  type ExecutedAction,
  type PlanCause,
  planDisruption,
  planForced,
} from './disruption/plan.ts';
export {
  type DisruptionPolicy,
  declaredPolicies,
  fileMatch,
  isPolicyObserved,
  type PolicyMatch,
  policyDeclared,
  policyInForce,
  unitMatch,
} from './disruption/policy.ts';
export { machineConfigurationIssues } from './disruption/policy-issues.ts';
export {
  type Disruption,
  type PlanPreview,
  type PreviewedChange,
  previewPlan,
} from './disruption/preview.ts';
export type { ObjectKind } from './document/judge-object.ts';
export { positionOf } from './document/locate-issue.ts';
export { readText, type TextObject, type TextReading } from './document/read-text.ts';
export { issueCode } from './errors.ts';
export { type CodeExplanation, explainableCodes, explainCode } from './explain-code.ts';
export { hostTree, type TreeEntry } from './extract/host-tree.ts';
export { isEmptySelector, matchesSelector, selectorIssues } from './label-selector.ts';
export { explainRendering, type PlaceOf } from './render/explain-rendering.ts';
export { describeFinding, renderFailure } from './render/render-failure.ts';
export {
  type Rendered,
  type RenderFinding,
  type RenderOutcome,
  renderPool,
} from './render/render-pool.ts';
export {
  type NamedText,
  type PlacedFinding,
  renderTexts,
  type TextRendering,
} from './render/render-texts.ts';
export { keptRenderings, renderedGarbage } from './render/rendered-garbage.ts';
export { poolConfigurationOf, renderedObject } from './render/rendered-object.ts';
export { selectSources } from './render/select-sources.ts';
export {
  type ConditionDraft,
  conditionTransitions,
  listNames,
  setConditions,
} from './rollout/conditions.ts';
export { resolveMaxUnavailable, type UnavailableLimit } from './rollout/max-unavailable.ts';
export {
  isControlPlane,
  isCustomPool,
  type Membership,
  membershipOf,
} from './rollout/membership.ts';
export {
  compareAge,
  isSettled,
  isUntouched,
  isUpdated,
  type ObservedNode,
  observeNode,
  whyNotReady,
  whyUnavailable,
} from './rollout/observe-node.ts';
export { poolIssues } from './rollout/pool-issues.ts';
export { type PoolStatusInput, poolStatus, type RenderReport } from './rollout/pool-status.ts';
export { type Selection, type SelectionInput, selectNodes } from './rollout/select-nodes.ts';
export {
  hostConfigOf,
  type MachineConfigReading,
  readMachineConfig,
  validateMachineConfig,
} from './validate/read-machine-config.ts';
export { type SourceSize, sizeLimitBytes, sizeOf, sizeWarningBytes } from './validate/size.ts';
