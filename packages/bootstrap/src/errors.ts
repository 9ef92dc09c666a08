/** Every error code that this room raises, with what it means. */
export const bootstrapErrors = {
  'bootstrap.discovery.timeout': 'the cluster could not be reached, or does not know the token',
  'bootstrap.discovery.signature':
    'cluster-info is not signed by the token: wrong token or cluster',
  'bootstrap.discovery.pin': 'the certificate authority of the cluster matches none of the pins',
  'bootstrap.discovery.malformed': 'cluster-info does not describe exactly one cluster',
  'bootstrap.discovery.changed': 'cluster-info reads differently over the verified connection',
  'bootstrap.certificate.denied': 'the signing request of the node was denied or failed',
  'bootstrap.certificate.timeout': 'the signing request of the node was not signed in time',
  'bootstrap.certificate.foreign': 'the signed certificate is not for the requested node and key',
  'bootstrap.kubelet-conf.malformed': 'kubelet.conf does not name a server and an authority',
} as const;

export type BootstrapErrorCode = keyof typeof bootstrapErrors;
