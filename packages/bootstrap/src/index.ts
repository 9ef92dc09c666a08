/**
 * `@slipway/bootstrap`: bringing a node into a cluster, and what try mode needs in place of the
 * kubelet and of the node lifecycle controller.
 */

export {
  type CorednsOptions,
  corednsObjects,
  corednsReplicas,
  dnsLabels,
  type PatchObject,
} from './addon/coredns.ts';
export { type KubeProxyOptions, kubeProxyConfigKey, kubeProxyObjects } from './addon/kube-proxy.ts';
export {
  type KubeProxySurroundings,
  kubeProxyConfiguration,
} from './addon/kube-proxy-configuration.ts';
export { machineConfigNotice, machineConfigObjects } from './addon/machine-config.ts';
export {
  type EnsureCertificatesOptions,
  type EnsuredCertificate,
  ensureCertificates,
  type PkiName,
} from './certificates/ensure-certificates.ts';
export { expirationObject, expirationTables } from './certificates/expiration-views.ts';
export {
  generateSigningRequests,
  type SigningRequestsOptions,
} from './certificates/generate-signing-requests.ts';
export { KeyStock, orderTreeKeys } from './certificates/key-stock.ts';
export type { PkiSettings } from './certificates/pki-settings.ts';
export {
  type Expirations,
  type ReadExpirationsOptions,
  readExpirations,
} from './certificates/read-expirations.ts';
export {
  type Renewal,
  type RenewCertificatesOptions,
  renewCertificates,
} from './certificates/renew-certificates.ts';
export {
  type CertificatesToUpload,
  certificateKey,
  decryptCertificates,
  encryptCertificates,
  encryptedCertificates,
} from './certificates/upload-encryption.ts';
export {
  apiEndpointAnnotation,
  fetchApiEndpoint,
  parseApiEndpoint,
} from './cluster-settings/api-endpoint.ts';
export {
  type CertificatesDownload,
  downloadCertificates,
} from './cluster-settings/download-certificates.ts';
export {
  type ClusterSettings,
  fetchClusterSettings,
} from './cluster-settings/fetch-cluster-settings.ts';
export { readNodeName } from './cluster-settings/node-name.ts';
export { type UploadedFile, uploadedFiles } from './cluster-settings/uploaded-files.ts';
export type { ConfigurationCode } from './config/codes.ts';
export type {
  BootstrapTokenEntry,
  ClusterConfiguration,
  ComponentConfigurations,
  InitConfiguration,
  InitSettings,
  JoinConfiguration,
  ResetConfiguration,
  UpgradeConfiguration,
} from './config/configuration.ts';
export { parseDuration } from './config/duration.ts';
export {
  flagsMixedWithConfig,
  type InitFlags,
  type JoinFlags,
  type ResetFlags,
  type UpgradeFlags,
} from './config/flags.ts';
export type { LoadOptions } from './config/load.ts';
export { migrateFile } from './config/migrate-file.ts';
export { printComponentDefaults } from './config/print-component-defaults.ts';
export {
  initDefaults,
  printInitDefaults,
  printJoinDefaults,
  printResetDefaults,
  printUpgradeDefaults,
} from './config/print-defaults.ts';
export {
  joinDocuments,
  renderClusterConfiguration,
  renderComponentConfiguration,
  renderInitConfiguration,
  renderJoinConfiguration,
  renderResetConfiguration,
  renderUpgradeConfiguration,
} from './config/render.ts';
export { settleCluster } from './config/settle-cluster.ts';
export {
  type FileOrder,
  type SettledFile,
  settleFile,
  validateFile,
  withSomeAddress,
} from './config/settle-file.ts';
export { type InitOrder, settleInit } from './config/settle-init.ts';
export { type JoinOrder, settleJoin } from './config/settle-join.ts';
export { type ResetOrder, settleReset } from './config/settle-reset.ts';
export { settleUpgrade, type UpgradeOrder } from './config/settle-upgrade.ts';
export type { Settled } from './config/settled.ts';
export { type ClusterEntry, clusterInfoKubeconfig } from './discovery/cluster-kubeconfig.ts';
export { type Discovered, type DiscoverOptions, discover } from './discovery/discover.ts';
export { type DiscoveryRequest, discoverCluster } from './discovery/discover-by-token.ts';
export { authorityPins, matchesPins, parsePins, pinProblem } from './discovery/pins.ts';
export { type BootstrapErrorCode, bootstrapErrors } from './errors.ts';
export { kubernetesPaths } from './facts/paths.ts';
export { releaseFacts, supportedMinors } from './facts/versions.ts';
export { readHostText } from './host-text/read-host-text.ts';
export { componentImage, type ImageName } from './image/component-image.ts';
export { pullImages } from './image/pull-images.ts';
export { requiredImages } from './image/required-images.ts';
export {
  createInitClusterAccess,
  type InitClusterAccess,
  type InitClusterAccessOptions,
} from './init/cluster-access.ts';
export type { InitData, InitOptions } from './init/data.ts';
export { initPhases } from './init/phases.ts';
export { type AgreedAddons, agreeOnAddons } from './init/skipped-addons.ts';
export { type ClusterTrustOptions, createClusterTrust } from './join/cluster-trust.ts';
export type { JoinData, JoinTrust } from './join/data.ts';
export { createDryRunTrust, type DryRunTrustOptions } from './join/dry-run-trust.ts';
export { joinPhases } from './join/phases.ts';
export {
  type EnsuredKubeconfig,
  type EnsureKubeconfigsOptions,
  ensureKubeconfigs,
  orderKubeconfigKeys,
} from './kubeconfigs/ensure-kubeconfigs.ts';
export {
  type KubeconfigName,
  type KubeconfigSpec,
  kubeconfigSpecs,
} from './kubeconfigs/kubeconfig-specs.ts';
export { type UserKubeconfigOptions, userKubeconfig } from './kubeconfigs/user-kubeconfig.ts';
export { hostKubeletConfiguration, kubeletConfiguration } from './kubelet/kubelet-configuration.ts';
export { kubeletFlagsText } from './kubelet/kubelet-flags.ts';
export { type KubeletFilesOrder, writeKubeletFiles } from './kubelet/write-kubelet-files.ts';
export { type EtcdMember, etcdPod } from './manifest/etcd.ts';
export { refuseRootless } from './manifest/refuse-rootless.ts';
export { controlPlanePod } from './manifest/static-pods.ts';
export { readSurroundings, type Surroundings } from './manifest/surroundings.ts';
export { createNodeLifecycle, type NodeLifecycleOptions } from './node-lifecycle/node-lifecycle.ts';
export {
  type AppliedObject,
  type ApplyOutcome,
  applyObjects,
  readObject,
} from './object/apply-objects.ts';
export { bootstrapAccessObjects } from './object/bootstrap-access.ts';
export { clusterAdminsBinding, clusterAdminsName } from './object/cluster-admins.ts';
export { clusterInfoKey, clusterInfoObjects } from './object/cluster-info.ts';
export { type ClusterObject, clusterObject, describeObject } from './object/cluster-object.ts';
export { isGenerated } from './object/component-config-hash.ts';
export { type AdministratorClients, ensureClusterAdmins } from './object/ensure-cluster-admins.ts';
export { services } from './object/kinds.ts';
export { kubeadmConfigKey, kubeadmConfigObjects } from './object/kubeadm-config.ts';
export { kubeletConfigKey, kubeletConfigObjects } from './object/kubelet-config.ts';
export { markNode } from './object/mark-node.ts';
export {
  controlPlaneLabels,
  controlPlaneMark,
  criSocketMark,
  type NodePatch,
} from './object/node-mark.ts';
export { type ApiCallOptions, retryApiCall } from './object/retry-api-call.ts';
export { type CertificatesUpload, uploadCertificates } from './object/upload-certificates.ts';
export {
  ownerTokenObject,
  uploadedCertificatesKey,
  uploadedCertificatesLifetimeMs,
  uploadedCertificatesObjects,
} from './object/uploaded-certificates.ts';
export { yamlText } from './object/yaml-text.ts';
export { applyPatches } from './patches/apply-patches.ts';
export { type LoadedPatches, loadPatches, type Patch } from './patches/load-patches.ts';
export { type PatchTarget, patchTargets } from './patches/patch-file-name.ts';
export type { KnownNode } from './preflight/check/node-address.ts';
export type { Check, Finding, FindingLevel } from './preflight/check.ts';
export {
  imageChecks,
  initChecks,
  type JoinedQuestion,
  joinChecks,
  joinedChecks,
  resetChecks,
  upgradeChecks,
} from './preflight/check-lists.ts';
export { listKnownNodes } from './preflight/known-nodes.ts';
export { passPreflight } from './preflight/pass-preflight.ts';
export { preflightObject } from './preflight/preflight-object.ts';
export {
  demandPreflight,
  hasPreflightErrors,
  type PreflightFinding,
  type PreflightRequest,
  reportPreflight,
  runPreflight,
} from './preflight/run-preflight.ts';
export { createContainerRuntime } from './preflight/runtime/container-runtime.ts';
export type { ResetData } from './reset/data.ts';
export { resetPhases } from './reset/phases.ts';
export { resetReminders } from './reset/reminders.ts';
export type { NodeDescription } from './stand-in-kubelet/node-description.ts';
export {
  createStandInKubelet,
  type StandInKubeletOptions,
} from './stand-in-kubelet/stand-in-kubelet.ts';
export {
  bootstrapKubeconfig,
  writeBootstrapKubeconfig,
  writeClusterAuthority,
} from './tls-bootstrap/bootstrap-kubeconfig.ts';
export {
  createCertificateRenewal,
  type RenewalOptions,
} from './tls-bootstrap/certificate-renewal.ts';
export { type JoinRequest, type JoinResult, joinNode } from './tls-bootstrap/join-node.ts';
export {
  readHostKubeconfig,
  waitForKubeletCredentials,
} from './tls-bootstrap/kubelet-credentials.ts';
export { nodeConnection, nodePaths } from './tls-bootstrap/node-files.ts';
export { checkNodeNameFree } from './tls-bootstrap/node-name-free.ts';
export { type NodeRegistrationRequest, registerNode } from './tls-bootstrap/register-node.ts';
export {
  type CertificateOrder,
  requestNodeCertificate,
} from './tls-bootstrap/request-certificate.ts';
export {
  type CreatedToken,
  createToken,
  type TokenCreation,
  tokenSecret,
} from './token/create-token.ts';
export { deleteTokens, type TokenDeletion, tokenIdOf } from './token/delete-tokens.ts';
export {
  type JoinCommand,
  type JoinTarget,
  joinCommand,
  joinTarget,
  withheld,
} from './token/join-command.ts';
export { listTokens, type TokenList } from './token/list-tokens.ts';
export { checkTokenEntry, defaultTokenEntry, requireTokenEntry } from './token/token-rules.ts';
export { tokenColumns, tokenObject, tokenRow } from './token/token-views.ts';
export { companionVersions } from './upgrade/companions.ts';
export { decideUpgrade, type UpgradeFinding, type UpgradeProposal } from './upgrade/decide.ts';
export {
  diffManifests,
  type ManifestDifference,
  type TargetManifest,
} from './upgrade/diff-manifests.ts';
export { knownReleases } from './upgrade/known-releases.ts';
export {
  documentKinds,
  type NodeFacts,
  readNodeFacts,
  settleControlPlane,
} from './upgrade/node-settings.ts';
export { observeCluster } from './upgrade/observe-cluster.ts';
export { observeFiles } from './upgrade/observe-files.ts';
export type { ObservedCluster } from './upgrade/observed-cluster.ts';
export {
  type AvailableUpgrade,
  type ConfigurationState,
  type PlannedComponent,
  type PlanRequest,
  planUpgrade,
  type UpgradePlan,
} from './upgrade/plan.ts';
export { targetManifests } from './upgrade/target-manifests.ts';
export { type UnifiedDiffOptions, unifiedDiff } from './upgrade/unified-diff.ts';
export {
  formatKubernetesVersion,
  kubernetesMinor,
  parseKubernetesVersion,
} from './version/kubernetes-version.ts';
export type { Waiting } from './waiting/wait-for.ts';
export { createDryRunClient, type DryRunClientOptions } from './workflow/dry-run-client.ts';
export { createDryRunFiles, type DryRunFiles, type FileChange } from './workflow/dry-run-files.ts';
export { type DryRunCommand, makeDryRunFolder } from './workflow/dry-run-folder.ts';
export { reportFileChanges } from './workflow/dry-run-report.ts';
export type { Ground, Reporter } from './workflow/ground.ts';
export { type Phase, type PlacedPhase, phaseName } from './workflow/phase.ts';
export { phaseList } from './workflow/phase-list.ts';
export {
  allPhases,
  findPhase,
  type PhasePlan,
  planPhases,
  type Selection,
} from './workflow/plan.ts';
export { runWorkflow, type WorkflowRun } from './workflow/runner.ts';
export {
  beginRun,
  endRun,
  isUnfinished,
  type ResumableCommand,
} from './workflow/unfinished-run.ts';
