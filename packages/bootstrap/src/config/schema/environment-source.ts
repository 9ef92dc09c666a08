import { any, boolean, object, string } from './shape.ts';

/** `valueFrom` of an environment variable: core/v1 EnvVarSource of Kubernetes 1.37.2. */
export const environmentSource = object({
  fieldRef: object({ apiVersion: string, fieldPath: string }),
  resourceFieldRef: object({ containerName: string, resource: string, divisor: any }),
  configMapKeyRef: object({ name: string, key: string, optional: boolean }),
  secretKeyRef: object({ name: string, key: string, optional: boolean }),
  fileKeyRef: object({ volumeName: string, path: string, key: string, optional: boolean }),
});
