/**
 * Lines of shell that make a machine of its own as far as slipway and kubeadm look, below
 * `unshare -mn sh`: network, /etc, /var/lib and /usr/local.
 */
export const isolation = `set -e
ip link set lo up 2>/dev/null || true
mount -t tmpfs tmpfs /mnt
for directory in etc var/lib usr/local; do
  layers=/mnt/$(echo $directory | tr / -)
  mkdir -p $layers/upper $layers/work
  mount -t overlay -o lowerdir=/$directory,upperdir=$layers/upper,workdir=$layers/work overlay /$directory
done
rm -rf /etc/kubernetes /var/lib/etcd /usr/local/bin/kubelet
mkdir -p /etc/kubernetes/manifests /usr/local/bin
`;
