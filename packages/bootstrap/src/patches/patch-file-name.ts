/** What can be patched. */
export const patchTargets = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubeletconfiguration',
  'corednsdeployment',
  'kubeproxydaemonset',
] as const;

export type PatchTarget = (typeof patchTargets)[number];

export type PatchKind = 'strategic' | 'merge' | 'json';

/** What the name of a file in a patches directory says. */
export type PatchFileName =
  | { readonly target: PatchTarget; readonly kind: PatchKind }
  /** Not a patch: passed over, and said so. */
  | { readonly ignored: string }
  /** Meant as a patch, and wrong. */
  | { readonly refused: string };

const form = new RegExp(`^(${patchTargets.join('|')})([^.+\\n]*)(\\+([^.]*))?`);
const kinds: readonly string[] = ['strategic', 'merge', 'json'];

/** `target[suffix][+type].yaml|json`, as kubeadm reads it; the type is strategic when it is not said. */
export function readPatchFileName(name: string): PatchFileName {
  if (!/.\.(?:json|yaml)$/.test(name)) return { ignored: 'it ends in neither .yaml nor .json' };
  const found = form.exec(name);
  if (found === null) return { ignored: `its name starts with none of ${patchTargets.join(', ')}` };
  const [, target, , plus, type = ''] = found;
  const kind =
    kinds.find((known) => type.startsWith(known)) ?? (plus === undefined ? 'strategic' : '');
  if (kind === '')
    return { refused: `after + comes one of ${kinds.join(', ')}, not ${JSON.stringify(type)}` };
  return { target: target as PatchTarget, kind: kind as PatchKind };
}
