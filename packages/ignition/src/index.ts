/**
 * `@slipway/ignition`: Ignition 3.4.0, parsed with positions, validated and merged with provenance.
 * Runs in a browser: nothing here touches a machine.
 */

export type { CatalogueEntry } from './codes/catalogue-entry.ts';
export { catalogueMarkdown, explain, issueCatalogue } from './codes.ts';
export { type DataUrl, type DataUrlFault, parseDataUrl } from './data-url.ts';
export { type DecodeResult, maxContentBytes, tryDecodeContents } from './decode-contents.ts';
export {
  authorizedKeysText,
  decodeContents,
  defaultFileMode,
  dropinPath,
  fileGroup,
  fileMode,
  fileUser,
  unitDirectory,
  unitPath,
} from './effective.ts';
export { encodeIgnition } from './encode.ts';
export { encodeDataUrl } from './encode-data-url.ts';
export { itemPath, memberPath } from './findings.ts';
export { formatYaml } from './format-yaml.ts';
export { located, memberOf, withMember, withoutMembers } from './lift/edit-node.ts';
export { type LiftedTree, liftTree } from './lift/lift-tree.ts';
export { markOrigins } from './lift/mark-origins.ts';
export { nestedShapeOf } from './lift/nested-shape.ts';
export { type LiftResult, liftIgnition } from './lift.ts';
export {
  type IgnitionSource,
  type MergedIgnition,
  type MergeIssue,
  mergeIgnition,
  mergeIgnitionDocuments,
  originOf,
} from './merge.ts';
export type { MergedDocument, Override, Provenance } from './merge-tree.ts';
export {
  emptyIgnitionConfig,
  type IgnitionConfig,
  type IgnitionContents,
  type IgnitionDropin,
  type IgnitionFile,
  type IgnitionOwner,
  type IgnitionUnit,
  ignitionVersion,
  managedUserName,
} from './model.ts';
export { nearestKey } from './nearest-key.ts';
export {
  type DocumentFormat,
  type ParseOptions,
  type ParseResult,
  parse,
} from './parse.ts';
export { type ReadOptions, type ReadResult, readIgnition } from './read-ignition.ts';
export { type RenderOptions, renderIssue } from './render-issue.ts';
export { type ObjectShape, shapes } from './schema.ts';
export { sha256 } from './sha256.ts';
export { sha512 } from './sha512.ts';
export { type SourcePosition, type SourceRange, SourceText } from './source-text.ts';
export {
  jsonOf,
  type ObjectMember,
  type ObjectNode,
  type SyntaxNode,
  type SyntaxTree,
  subtree,
  treeFromJson,
} from './syntax-tree.ts';
export { parseUnitFile, type UnitFault, type UnitFile, type UnitOption } from './unit-file.ts';
export { hasInstall, readInstall, type UnitInstall } from './unit-install.ts';
