import { configurationCodes } from './config/codes.ts';

/** Every error code that this room raises, with what it means. */
export const bootstrapErrors = {
  ...configurationCodes,
  'bootstrap.discovery.timeout': 'the cluster could not be reached, or does not answer as one',
  'bootstrap.discovery.token-unknown':
    'the cluster does not know the token: it expired, was deleted or is of another cluster',
  'bootstrap.discovery.unsigned': 'the cluster accepts the token but signs nothing with it',
  'bootstrap.discovery.signature':
    'cluster-info is not signed by the token: wrong token or cluster',
  'bootstrap.discovery.pin': 'the certificate authority of the cluster matches none of the pins',
  'bootstrap.discovery.pin-malformed': 'a pin is not of the form sha256:<64 hex digits>',
  'bootstrap.discovery.malformed': 'cluster-info does not describe exactly one cluster',
  'bootstrap.discovery.changed': 'cluster-info reads differently over the verified connection',
  'bootstrap.discovery.clock': 'a certificate of the cluster is not valid by the clock of the host',
  'bootstrap.discovery.address': 'the certificate of the server is not for the address in use',
  'bootstrap.discovery.untrusted':
    'the server does not identify itself by the authority of the cluster',
  'bootstrap.discovery.anonymous':
    'the API server does not answer anonymous requests, which discovery by token makes',
  'bootstrap.discovery.file': 'a discovery file cannot be read or used',
  'bootstrap.discovery.credentials': 'discovery found nothing to identify the host with',
  'bootstrap.token.invalid': 'a bootstrap token that is to be created breaks a rule',
  'bootstrap.token.exists': 'there is a bootstrap token with this id already',
  'bootstrap.token.missing': 'there is no bootstrap token with this id',
  'bootstrap.token.join-command': 'the kubeconfig does not tell how to join its cluster',
  'bootstrap.duration.malformed': 'a duration that validation let through cannot be read',
  'bootstrap.node.exists': 'a Node of this name is Ready: another machine has the name',
  'bootstrap.certificate.denied': 'the signing request of the node was denied or failed',
  'bootstrap.certificate.timeout': 'the signing request of the node was not signed in time',
  'bootstrap.certificate.foreign': 'the signed certificate is not for the requested node and key',
  'bootstrap.kubelet-conf.malformed': 'kubelet.conf does not name a server and an authority',
  'bootstrap.kubelet-conf.timeout': 'the kubelet did not obtain its credentials in time',
  'bootstrap.cluster-settings.missing': 'the cluster does not hold the configuration of kubeadm',
  'bootstrap.cluster-settings.invalid': 'the configuration that the cluster holds is refused',
  'bootstrap.cluster-settings.endpoint': 'the API endpoint of a node cannot be found out',
  'bootstrap.uploaded-certificates.external':
    'an authority whose key is kept elsewhere cannot be uploaded',
  'bootstrap.uploaded-certificates.missing': 'the uploaded certificates are not there (any more)',
  'bootstrap.uploaded-certificates.incomplete':
    'the uploaded certificates lack one or hold something else',
  'bootstrap.uploaded-certificates.undecipherable':
    'the uploaded certificates were encrypted with another key, or changed',
  'bootstrap.certificate-key.malformed': 'a certificate key is not 64 hex digits',
  'bootstrap.certificates.unusable':
    'certificates or keys that are there are not what the configuration needs; they were left alone',
  'bootstrap.certificates.renewal': 'some certificates could not be renewed; they are as they were',
  'bootstrap.certificates.unknown': 'there is no certificate of this name in the cluster',
  'bootstrap.certificates.authority': 'an authority that has to sign is missing or has no key',
  'bootstrap.certificates.exists':
    'a key or signing request that would be written is there already',
  'bootstrap.kubeconfig.unusable': 'a kubeconfig that is there is not of this cluster',
  'bootstrap.object.not-applied': 'an object of the cluster could not be created or updated',
  'bootstrap.node.not-marked': 'labels, taints or annotations could not be put on the Node',
  'bootstrap.admin.not-bound': 'the group of admin.conf could not be made an administrator',
  'bootstrap.workflow.phases': 'phases were named that do not exist, or one without what it needs',
  'bootstrap.workflow.interrupted': 'the command was interrupted between two phases',
  'bootstrap.workflow.kubeconfig': 'the kubeconfig that a phase works with does not exist',
  'bootstrap.wait.kubelet': 'the kubelet did not become healthy in time',
  'bootstrap.wait.control-plane': 'a component of the control plane did not become healthy in time',
  'bootstrap.manifest.rootless':
    'the feature gate RootlessControlPlane is on, and components run as root only',
  'bootstrap.manifest.etcd': 'a manifest of etcd was asked for although etcd is external: a bug',
  'bootstrap.patches.malformed':
    'a directory of patches has a file that is meant as a patch and is none',
  'bootstrap.patches.misfit': 'a patch does not fit what it is to change',
  'bootstrap.images.pull': 'the container runtime could not pull an image',
  'bootstrap.preflight.failed': 'the machine is not in a state in which the command may start',
  'bootstrap.preflight.runtime': 'the container runtime does not answer, or refuses a call',
  'bootstrap.reset.unconfirmed': 'a reset was asked for and not confirmed',
  'bootstrap.reset.directory':
    'a directory that a reset would empty belongs to more than this cluster',
  'bootstrap.reset.mounts': 'something is still mounted below the folder of the kubelet',
  'bootstrap.etcd.unreachable': 'no member of etcd answers',
  'bootstrap.etcd.refused': 'etcd refused a change of its members',
  'bootstrap.etcd.not-joined': 'the new member of etcd did not catch up in time',
  'bootstrap.join.not-ready': 'the cluster is not prepared for another control plane',
  'bootstrap.upgrade.no-configuration':
    'the configuration of the cluster is needed and was not given',
  'bootstrap.upgrade.no-manifest': 'a static pod manifest of this node cannot be read',
  'bootstrap.upgrade.version': 'the version to upgrade to is missing or is none',
} as const;

export type BootstrapErrorCode = keyof typeof bootstrapErrors;
