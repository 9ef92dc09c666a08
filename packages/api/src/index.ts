/**
 * `@slipway/api`: the nouns. Types of the objects that slipway reads and writes, where they live in
 * the API, and the node contract. Browser-safe: no I/O, no Node modules.
 */

export { compileJsonPath, type JsonPath, type JsonPathDemands } from './json-path/json-path.ts';
export {
  certificateSigningRequests,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  daemonSets,
  events,
  leases,
  namespaces,
  nodes,
  podDisruptionBudgets,
  pods,
  secrets,
  validatingWebhookConfigurations,
} from './kubernetes/resources.ts';
export type {
  CertificateSigningRequest,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  DaemonSet,
  JsonSchema,
  KubeEvent,
  Lease,
  Namespace,
  Node,
  NodeCondition,
  Pod,
  PodDisruptionBudget,
  PolicyRule,
  SecretObject,
  Taint,
  ValidatingWebhookConfiguration,
} from './kubernetes/types.ts';
export { formatSelector, matchesLabels, validateSelector } from './label-selector.ts';
export {
  type DefaultObject,
  defaultObjects,
  masterPoolName,
  nodeRoleLabel,
  workerPoolName,
} from './machineconfiguration/default-objects.ts';
export { machineConfigurationDefinitions } from './machineconfiguration/definitions/definitions.ts';
export { ignitionVersion } from './machineconfiguration/definitions/machine-config.ts';
export {
  machineConfigNodes,
  machineConfigPools,
  machineConfigs,
  machineConfigurationApiVersion,
  machineConfigurationGroup,
  machineConfigurations,
  machineConfigurationVersion,
  roleLabel,
} from './machineconfiguration/group.ts';
export type { MachineConfig } from './machineconfiguration/machine-config.ts';
export type {
  DrainBlocker,
  DriftFinding,
  MachineConfigNode,
} from './machineconfiguration/machine-config-node.ts';
export type {
  MachineConfigPool,
  MachineConfigPoolStatus,
  PoolConditionType,
  PoolConfiguration,
} from './machineconfiguration/machine-config-pool.ts';
export {
  type DefaultDisruptionActions,
  type DisruptionAction,
  type FileDisruptionPolicy,
  type MachineConfiguration,
  machineConfigurationName,
  type NodeDisruptionPolicy,
  type UnitDisruptionPolicy,
} from './machineconfiguration/machine-configuration.ts';
export {
  type AnnotationPatch,
  type ConfigName,
  type DrainRequest,
  decodeNode,
  encodeDesired,
  encodeDrainApplied,
  encodeDrainRequest,
  encodePriorCordon,
  encodeState,
  isDrainApplied,
  maxReasonLength,
  type NodeContract,
  type NodeState,
  nodeAnnotation,
} from './node-contract.ts';
export type {
  Condition,
  KubeList,
  KubeObject,
  LabelSelector,
  LabelSelectorRequirement,
  ListMeta,
  ObjectMeta,
  ObjectReference,
  OwnerReference,
  Status,
} from './object-meta.ts';
export { checkPlace, resolvePointer } from './patch/json-pointer.ts';
export { mergePatch } from './patch/merge-patch.ts';
export { PatchError } from './patch/patch-error.ts';
export { type PatchSchema, unknownPatchSchema } from './patch/patch-schema.ts';
export { strategicMergePatch } from './patch/strategic-merge-patch.ts';
export { apiVersionOf, type Resource } from './resource.ts';
