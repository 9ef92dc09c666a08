import type {
  AdmissionPlugin,
  AdmissionRequest,
  LocalAccess,
  ResourceCatalogue,
} from '../contract.ts';
import { StatusError } from '../contract.ts';
import { notFound } from '../status/status-errors.ts';
import { isAbout, refusal } from './refusal.ts';

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Reviews are answered, not stored; they may name a namespace that is not there. */
function isReview(request: AdmissionRequest): boolean {
  const { group } = request.definition;
  return group === 'authorization.k8s.io' || group === 'authentication.k8s.io';
}

function terminating(request: AdmissionRequest, namespace: string): StatusError {
  const cause = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = refusal(request, cause);
  const causes = [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ];
  return new StatusError({ ...status, details: { ...status.details, causes } });
}

function protectNamespace(request: AdmissionRequest): void {
  if (request.operation !== 'DELETE' || !immortal.has(request.name)) return;
  throw refusal(request, 'this namespace may not be deleted');
}

/** Refuses content of namespaces that are missing or on their way out, and the end of the system's own. */
export function createNamespaceLifecycle(
  catalogue: ResourceCatalogue,
  access: LocalAccess,
): AdmissionPlugin {
  function checkPlace(request: AdmissionRequest, namespace: string): void {
    const namespaces = catalogue.find('', 'v1', 'namespaces');
    if (namespaces === undefined) return;
    const found = access.get(namespaces, undefined, namespace);
    if (found === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    if (found.metadata.deletionTimestamp !== undefined) throw terminating(request, namespace);
  }
  return {
    name: 'NamespaceLifecycle',
    async validate(request) {
      const { operation, namespace, definition } = request;
      if (isAbout(request, '', 'namespaces')) protectNamespace(request);
      else if (definition.namespaced && operation === 'CREATE' && !isReview(request)) {
        if (namespace !== undefined) checkPlace(request, namespace);
      }
      return [];
    },
  };
}
