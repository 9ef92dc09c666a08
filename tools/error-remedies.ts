import { codeCatalogue } from '../packages/machineconfig/src/code-catalogue.ts';
import { configurationRemedies } from './configuration-remedies.ts';

/** What to do about each error code that is not a Degraded reason (those have pages of their own). */
export type RoomRemedies = {
  readonly title: string;
  readonly remedies: Readonly<Record<string, string>>;
};

/** By room. `test/error-codes.test.ts` holds it and the rooms' catalogues together. */
export const roomRemedies: Readonly<Record<string, RoomRemedies>> = {
  api: {
    title: 'Label selectors',
    remedies: {
      'api.selector.key-invalid':
        'Spell the key as `prefix/name` or `name`, at most 63 characters each part.',
      'api.selector.value-invalid': 'Use letters, digits, `-`, `_` and `.`, at most 63 characters.',
      'api.selector.values-missing': 'Give values, or use Exists.',
      'api.selector.values-forbidden': 'Remove the values, or use In.',
      'api.selector.operator-unknown': 'Use In, NotIn, Exists or DoesNotExist.',
    },
  },
  host: {
    title: 'A host operation failed',
    remedies: {
      'host.path.invalid': 'Give an absolute path without `..`.',
      'host.file.missing':
        'Create the file or its directory, or remove the path from the configuration.',
      'host.file.not-a-file': 'Move away what is at the path; slipway replaces files only.',
      'host.file.not-a-directory':
        'A parent of the path is a file: move it away or choose another path.',
      'host.file.is-a-directory': 'Move the directory away or choose another path.',
      'host.file.dangling-link': 'Repair or remove the symbolic link that the message names.',
      'host.file.too-many-links': 'Look for links that point at each other.',
      'host.file.no-space': 'Free space or raise the quota on the file system of the path.',
      'host.file.read-only': 'Choose a path on a writable file system, or remount it.',
      'host.file.denied': 'Run as root, or correct the permissions of the directory.',
      'host.file.busy':
        'Nothing: it is tried again. If it stays, look for what uses up the resource named.',
      'host.file.failed': "Read the kernel's word in the message; check the disk with `dmesg`.",
      'host.file.label': 'Run `restorecon` on the path and read what it says.',
      'host.file.foreign-temporary': 'A bug: report it with the message.',
      'host.process.not-started': 'Install the program that the message names.',
      'host.process.timeout': 'See what the program waits for; on a host, `systemctl list-jobs`.',
      'host.systemd.failed':
        '`systemctl status` and `journalctl -u` of the unit that the message names.',
      'host.systemd.unreadable': 'Check that systemd runs as PID 1 of the host.',
      'host.boot.unreadable': 'Check that /proc is mounted on the host.',
      'host.boot.refused':
        '`systemctl reboot` on the host and read what it says; look for inhibitors.',
      'host.account.unreadable': 'Repair /etc/passwd or /etc/group of the host.',
      'host.simulated.state': 'Remove the folder of this simulated host; it joins anew.',
      'host.nspawn.unavailable':
        'Do what the message says: root, Linux, systemd-container, mmdebstrap.',
      'host.nspawn.image':
        'Check that the Debian mirror is reachable; the message holds the last lines.',
      'host.nspawn.network':
        '`ip link`: remove an interface of the same name, or use another data directory.',
      'host.nspawn.start': 'Read the console log that the message names.',
      'host.nspawn.exec': 'Check that the machine is on.',
    },
  },
  kube: {
    title: 'Talking to the API server failed',
    remedies: {
      'kube.api-failure': "Read the server's answer in the message.",
      'kube.bad-kubeconfig': 'Correct the line that the message names.',
      'kube.bad-request': 'A bug: report it with the message.',
      'kube.bad-response': 'Check that the address is that of an API server, not of a proxy.',
      'kube.bad-server': 'The server of the kubeconfig must be an https address.',
      'kube.closed': 'Nothing: the program was ending.',
      'kube.connection': 'Check that the API server runs and is reachable from here.',
      'kube.credentials':
        'Check that certificate and key named in the kubeconfig exist, match and are valid.',
      'kube.lease-lost':
        'Nothing: another instance leads, or this one stands again. If often: the API server is slow.',
      'kube.no-index': 'A bug: report it with the message.',
      'kube.response-too-large': 'Ask for less: a namespace, a selector, a page.',
      'kube.stopped': 'Nothing: the program was ending.',
      'kube.timeout': 'Check the load of the API server and the network to it.',
      'kube.watch-idle':
        'Nothing: the watch is opened again. If often: something between drops idle connections.',
    },
  },
  pki: {
    title: 'A certificate, key or token is wrong',
    remedies: {
      'pki.pem.malformed': 'Give a PEM file of the kind that the message names.',
      'pki.key.unreadable': 'Give an unencrypted RSA or EC private key.',
      'pki.key.mismatch': 'Put certificate and key of one pair beside each other.',
      'pki.certificate.unreadable': 'Give an X.509 certificate in PEM.',
      'pki.usage.unknown': 'Ask for client auth or server auth.',
      'pki.request.unreadable': 'Make the signing request anew.',
      'pki.request.signature': 'Make the signing request anew with the key it names.',
      'pki.request.subject': 'Give the request exactly one common name.',
      'pki.request.address': 'Give the request addresses that are IPv4 or IPv6.',
      'pki.authority.expired': 'Check the clock; else renew the authority.',
      'pki.token.malformed': 'Give a token of the form `abcdef.0123456789abcdef`.',
    },
  },
  bootstrap: {
    title: 'A node could not join',
    remedies: {
      ...configurationRemedies,
      'bootstrap.manifest.rootless':
        'Remove RootlessControlPlane from featureGates (--feature-gates), or set it to false.',
      'bootstrap.manifest.etcd':
        'Report it with the configuration; a local etcd, or the phases without etcd, avoids it.',
      'bootstrap.patches.malformed':
        'Correct the file at the place that is named, or name it so that it is no patch.',
      'bootstrap.patches.misfit':
        'Compare the patch with the manifest that is written without it, and correct its path.',
      'bootstrap.workflow.phases':
        'Name phases as `slipway init --help` lists them: `parent` or `parent/child`.',
      'bootstrap.workflow.interrupted': 'Run the same command again: it goes on where it stopped.',
      'bootstrap.workflow.kubeconfig':
        'Run the kubeconfig phase first, or give another with --kubeconfig.',
      'bootstrap.uploaded-certificates.external':
        'Leave out --upload-certs, and copy certificates to the other control planes yourself.',
      'bootstrap.wait.kubelet':
        'Read the reason that is shown with it: `journalctl -u kubelet` and /var/lib/kubelet/config.yaml.',
      'bootstrap.wait.control-plane':
        'Read the log lines that are shown with it; correct the configuration and run the command again.',
      'bootstrap.preflight.failed':
        'Do what each finding says, or accept it with --ignore-preflight-errors NAME.',
      'bootstrap.images.pull':
        'See that the registry is reached, or name a mirror with imageRepository (--image-repository).',
      'bootstrap.preflight.runtime':
        'Start the container runtime (`systemctl status containerd`), or name its socket with --cri-socket.',
      'bootstrap.reset.unconfirmed': 'Answer y, or give --force.',
      'bootstrap.reset.directory': 'Give the directory of the certificates: /etc/kubernetes/pki.',
      'bootstrap.reset.mounts': 'Stop what uses the mounts that are named, and run reset again.',
      'bootstrap.etcd.unreachable':
        'Check the members: their address, port 2379, and the certificates in /etc/kubernetes/pki/etcd.',
      'bootstrap.etcd.refused': 'Read the reason; `etcdctl member list` shows who is a member.',
      'bootstrap.etcd.not-joined':
        'Read the log of the new member; it was removed again, so that the command can be repeated.',
      'bootstrap.join.not-ready':
        'Do what the message says on a control plane of the cluster, then join again.',
      'bootstrap.discovery.timeout':
        'Check address, network and firewall; the message names the last thing seen.',
      'bootstrap.discovery.token-unknown':
        'Create a token on a control plane: `slipway token create --print-join-command`. In try mode start `slipway up` again.',
      'bootstrap.discovery.unsigned':
        'Create a token with usage `signing`, and let kube-controller-manager run bootstrapsigner.',
      'bootstrap.discovery.signature':
        'The token is of another cluster, or was changed: use the one of this cluster.',
      'bootstrap.discovery.pin':
        'Compare the pin with the authority of the cluster; do not join what does not match.',
      'bootstrap.discovery.pin-malformed':
        'Copy the pin from `slipway token create --print-join-command`: `sha256:` and 64 hex digits.',
      'bootstrap.discovery.malformed': 'Repair the ConfigMap kube-public/cluster-info.',
      'bootstrap.discovery.changed':
        'Somebody may sit between: check the network before another try.',
      'bootstrap.discovery.clock':
        'Set the clocks of this host and of the control plane, or renew what has expired.',
      'bootstrap.discovery.address':
        'Join by an address that the certificate names, or add yours to `certSANs` as the message says.',
      'bootstrap.discovery.untrusted':
        'Something else answers at the address: check endpoint, load balancer and port.',
      'bootstrap.discovery.anonymous':
        'Join with --discovery-file, or let the API server answer anonymous requests for cluster-info.',
      'bootstrap.discovery.file':
        'Correct the discovery file: https, one cluster with its authority, no exec or auth-provider.',
      'bootstrap.discovery.credentials':
        'Give --tls-bootstrap-token, or put a token or client certificate into the discovery file.',
      'bootstrap.token.invalid': 'Correct what the message names.',
      'bootstrap.token.exists': 'Delete the old one first, or take another id.',
      'bootstrap.token.missing': '`slipway token list` shows those there are.',
      'bootstrap.token.join-command':
        'Give the kubeconfig of an administrator that embeds the authority: /etc/kubernetes/admin.conf.',
      'bootstrap.duration.malformed': 'This is a fault of slipway: please report it.',
      'bootstrap.node.exists':
        'Give the host another name (--node-name); if its machine is gone: `kubectl delete node NAME`.',
      'bootstrap.certificate.denied':
        '`kubectl get csr` tells why; remove the request and join again.',
      'bootstrap.certificate.timeout':
        'Check that CSRs are approved and signed: `kubectl get csr`.',
      'bootstrap.certificate.foreign': 'Do not use it: check who signs for this cluster.',
      'bootstrap.kubelet-conf.malformed':
        'Remove /etc/kubernetes/kubelet.conf of the host; it is written anew on joining.',
      'bootstrap.kubelet-conf.timeout':
        'See `journalctl -u kubelet` and `kubectl get csr`: the kubelet waits for its certificate.',
      'bootstrap.cluster-settings.missing':
        'Upload it on a control plane: `slipway init phase upload-config all --config FILE`.',
      'bootstrap.cluster-settings.invalid':
        'Correct the ConfigMap that the message names, or upload it again from a file.',
      'bootstrap.cluster-settings.endpoint':
        'Is the static pod kube-apiserver of that node running, with its annotation?',
      'bootstrap.uploaded-certificates.missing':
        'They stay 2 hours: `slipway init phase upload-certs --upload-certs` uploads them again.',
      'bootstrap.uploaded-certificates.incomplete':
        'Upload them again on a control plane that has them all.',
      'bootstrap.uploaded-certificates.undecipherable':
        'Give the key that `slipway init phase upload-certs --upload-certs` printed last, or upload again.',
      'bootstrap.certificate-key.malformed':
        'Take a key that `slipway certs certificate-key` or `--upload-certs` printed.',
      'bootstrap.certificates.unusable':
        'Each file is named with its reason and what mends it: `slipway certs renew NAME`, or moving it away and `slipway init phase certs NAME`.',
      'bootstrap.certificates.renewal':
        'Each is named with its reason; mend it and renew that one again.',
      'bootstrap.certificates.unknown':
        'Take one of the names of `slipway certs check-expiration`.',
      'bootstrap.certificates.authority':
        'Restore the certificate and key of the authority; where it is kept elsewhere, have it sign what `slipway certs generate-csr` makes.',
      'bootstrap.certificates.exists':
        'Move the named file away, or give other directories with `--cert-dir` and `--kubeconfig-dir`.',
      'bootstrap.kubeconfig.unusable':
        'Move the file away and run `slipway init phase kubeconfig NAME` again.',
      'bootstrap.object.not-applied':
        'The cause is in the message; run the phase again, it writes only what is missing.',
      'bootstrap.node.not-marked':
        'Check that the kubelet has registered the node (`kubectl get nodes`); run the phase again.',
      'bootstrap.admin.not-bound':
        'Run the command on the node that ran `init`, which has /etc/kubernetes/super-admin.conf.',
      'bootstrap.upgrade.no-configuration':
        'Give the ClusterConfiguration with --config, or a cluster with --kubeconfig.',
      'bootstrap.upgrade.no-manifest':
        'Run the command on a control plane, or give the folder of one with --rootfs.',
      'bootstrap.upgrade.version': 'Give a version such as v1.37.2.',
    },
  },
  operator: {
    title: 'The operator',
    remedies: {
      'operator.definition-not-established': '`kubectl describe crd` of the one named.',
      'operator.cordon-lost': 'Nothing: it is cordoned again. Find out who uncordons the node.',
      'operator.stopped': 'Nothing: the program was ending.',
      'operator.webhook-listen': 'Free the address, or give another.',
      'admission.node.foreign': 'A node may write its own MachineConfigNode only.',
      'admission.pool.not-renderable':
        'Change the MachineConfig so that it goes together with the others that the message names.',
      'admission.value.overrides':
        'Nothing, if it is meant: names decide which MachineConfig wins.',
      'admission.value.overridden':
        'Give the MachineConfig a name that sorts later, or change the one that wins.',
    },
  },
  machineconfig: {
    title: 'MachineConfig, pool and policy',
    remedies: Object.fromEntries(
      Object.entries(codeCatalogue).map(([code, { fix }]) => [code, fix]),
    ),
  },
  apiserver: {
    title: 'The embedded API server',
    remedies: {
      'apiserver.storage.locked': 'Another process has the data directory: stop it.',
      'apiserver.storage.corrupt':
        'Put the file back from a copy, or start with a new data directory.',
      'apiserver.storage.newer-schema': 'Use the newer slipway that wrote it.',
      'apiserver.storage.write-failed':
        'Free space on the disk; nothing was lost that was acknowledged.',
      'apiserver.storage.open-failed': 'Correct owner and mode of the data directory.',
      'apiserver.http.listen-failed': 'Give a free port with --port.',
      'apiserver.server.not-started': 'A bug: report it with the message.',
      'apiserver.type.unknown': 'A bug: report it with the message.',
    },
  },
};
