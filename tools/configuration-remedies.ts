/** What to do about each finding of a kubeadm configuration. */
export const configurationRemedies: Readonly<Record<string, string>> = {
  'bootstrap.config.syntax': 'Mend the YAML at the line and column that the finding names.',
  'bootstrap.config.too-large': 'Give the right file; a configuration has a few kilobytes.',
  'bootstrap.config.alias-bomb': 'Write the values out instead of repeating aliases of aliases.',
  'bootstrap.config.not-an-object': 'Start the document with apiVersion and kind.',
  'bootstrap.config.no-kind': 'Add apiVersion: kubeadm.k8s.io/v1beta4 and a kind.',
  'bootstrap.config.unknown-kind': 'Use one of the kinds and versions that the finding names.',
  'bootstrap.config.unexpected-kind':
    'Remove the document, or give the file to the command it is for.',
  'bootstrap.config.duplicate-kind': 'Keep one document of each kind.',
  'bootstrap.config.missing-kind':
    'Add the document that the command needs; `slipway config print` shows one.',
  'bootstrap.config.old-version': 'Rewrite the file with `slipway config migrate`.',
  'bootstrap.config.experimental-version':
    'Write the file as kubeadm.k8s.io/v1beta4, or accept the risk with --allow-experimental-api.',
  'bootstrap.config.unknown-field':
    'Correct the name (the finding tells the nearest one), or remove the field.',
  'bootstrap.config.duplicate-field': 'Keep one of the two; the last one counts.',
  'bootstrap.config.wrong-type':
    'Write a value of the type that the finding names; quote numbers that are strings.',
  'bootstrap.config.duration': 'Write it as 4m0s, 24h or 500ms.',
  'bootstrap.config.timestamp': 'Write it as 2027-01-31T12:00:00Z.',
  'bootstrap.config.field-dropped': 'Use what the finding names instead, or remove the field.',
  'bootstrap.config.required': 'Add the field that the finding names.',
  'bootstrap.config.exclusive': 'Keep one of the fields.',
  'bootstrap.config.node-name':
    'Give a lower-case DNS name with --node-name or nodeRegistration.name.',
  'bootstrap.config.cri-socket': 'Write it as unix:///var/run/containerd/containerd.sock.',
  'bootstrap.config.argument': 'Give the argument a name; leave mergeMethod out to replace.',
  'bootstrap.config.enumeration': 'Use one of the values that the finding lists.',
  'bootstrap.config.token': 'Make a token with `slipway token generate`.',
  'bootstrap.config.token-usage': 'Use signing, authentication or both.',
  'bootstrap.config.token-group':
    'Name groups system:bootstrappers:<name>, for tokens with the usage authentication.',
  'bootstrap.config.alternative-name':
    'Give a DNS name, a wildcard such as *.example.com, or an IP address.',
  'bootstrap.config.path': 'Give an absolute path.',
  'bootstrap.config.address': 'Give an IP address that the other nodes can reach.',
  'bootstrap.config.port': 'Give a port from 1 to 65535.',
  'bootstrap.config.endpoint':
    'Write host or host:port, without a scheme; IPv6 addresses with a port in brackets.',
  'bootstrap.config.url': 'Give a complete URL, as https://10.0.0.1:2379.',
  'bootstrap.config.image-repository':
    'Write registry.example.com:5000/path, without scheme, tag or final slash.',
  'bootstrap.config.dns-domain': 'Use a lower-case DNS name such as cluster.local.',
  'bootstrap.config.subnet': 'Write one CIDR, or one of each family joined by a comma.',
  'bootstrap.config.subnet-size': 'Choose a prefix length in the bounds that the finding names.',
  'bootstrap.config.site-local': 'Use a range of fd00::/8.',
  'bootstrap.config.subnet-overlap': 'Choose pod and service ranges that do not share addresses.',
  'bootstrap.config.feature-gate':
    'Use a gate that this version of Kubernetes knows, or remove it.',
  'bootstrap.config.certificate-key': 'Make a key with `slipway certs certificate-key`.',
  'bootstrap.config.ca-hashes':
    'Give --discovery-token-ca-cert-hash; `slipway token create --print-join-command` prints it.',
  'bootstrap.config.ca-hash': 'Write sha256: and the 64 hex digits of the authority.',
  'bootstrap.config.validity': 'Choose a shorter period and renew certificates in time.',
  'bootstrap.config.version': 'Choose one of the supported versions that the finding lists.',
  'bootstrap.config.version-label': 'Write the exact version.',
  'bootstrap.config.preflight-ignore': 'Name the checks to ignore, or write all alone.',
  'bootstrap.config.cluster-dns': 'Remove clusterDNS: it is derived from the service subnet.',
  'bootstrap.config.kubelet': 'Remove the field: it is derived from the cluster.',
  'bootstrap.config.advertise-address': 'Give --apiserver-advertise-address or --node-ip.',
  'bootstrap.config.node-address': 'Give --node-ip as one of the addresses that the finding lists.',
  'bootstrap.config.cri-ambiguous': 'Choose the runtime with --cri-socket.',
};
