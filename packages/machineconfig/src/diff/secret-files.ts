import { fileMode, type IgnitionFile } from '@slipway/ignition';

const readableByOthers = 0o004;

/** Words of a path that say that its content is nobody's business. */
const secretWords =
  /(?:^|[/._-])(?:secrets?|passwords?|passwd|shadow|credentials?|tokens?|private|keytab|kubeconfig|htpasswd|netrc|pgpass)(?:[/._-]|$)/i;
const secretNames =
  /(?:\.(?:key|p12|pfx|jks|keystore)|\/id_[a-z0-9]+|\/(?:pull-secret|auth|config)\.json|\.dockerconfigjson|\.kube\/config|\/admin\.conf)$/i;

/**
 * True for a file whose content is not to be shown: its mode denies others to read it, or its path has a
 * word such as secret, token or private, or a name such as `*.key`. Rather one too many than one too few.
 */
export function isSecretFile(file: IgnitionFile): boolean {
  if ((fileMode(file) & readableByOthers) === 0) return true;
  return secretWords.test(file.path) || secretNames.test(file.path);
}
