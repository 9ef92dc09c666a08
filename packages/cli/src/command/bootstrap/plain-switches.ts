/** Flags of bootstrap commands that take no value. */
const switches = new Set([
  'cleanup-tmp-dir',
  'control-plane',
  'discovery-token-unsafe-skip-ca-verification',
  'dry-run',
  'force',
  'print-manifest',
  'skip-certificate-key-print',
  'skip-token-print',
  'upload-certs',
]);

/**
 * `--dry-run=true` and `--dry-run=false`, as kubeadm takes them for its switches. Commander knows
 * neither; they become `--dry-run` and the hidden `--no-dry-run`.
 */
export function withPlainSwitches(argv: readonly string[]): readonly string[] {
  return argv.map((word) => {
    const [, name = '', value] = /^--([a-z-]+)=(true|false)$/.exec(word) ?? [];
    if (!switches.has(name)) return word;
    return value === 'true' ? `--${name}` : `--no-${name}`;
  });
}
