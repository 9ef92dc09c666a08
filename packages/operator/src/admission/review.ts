import type { KubeObject } from '@slipway/api';
import { formatIssue, hasErrors, type Issue, isJsonObject } from '@slipway/base';
import { operatorIssueCode } from '../errors.ts';

/** What of an AdmissionReview is judged. */
export type AdmissionRequest = {
  readonly uid: string;
  /** Lower-case plural. */
  readonly resource: string;
  readonly subresource: string;
  readonly user: string;
  /** Absent for deletions. */
  readonly object?: KubeObject;
  /** What an update replaces. */
  readonly oldObject?: KubeObject;
};

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The request of an `admission.k8s.io/v1` review; undefined for anything else. */
export function decodeReview(body: unknown): AdmissionRequest | undefined {
  if (!isJsonObject(body) || body['kind'] !== 'AdmissionReview') return undefined;
  const request = body['request'];
  if (!isJsonObject(request) || typeof request['uid'] !== 'string') return undefined;
  const { resource, userInfo, object, oldObject } = request;
  return {
    uid: request['uid'],
    resource: isJsonObject(resource) ? textOf(resource['resource']) : '',
    subresource: textOf(request['subResource']),
    user: isJsonObject(userInfo) ? textOf(userInfo['username']) : '',
    ...(isJsonObject(object) ? { object } : {}),
    ...(isJsonObject(oldObject) ? { oldObject } : {}),
  };
}

function withoutErrors(issues: readonly Issue[]): readonly string[] {
  return issues.filter(({ severity }) => severity !== 'error').map(formatIssue);
}

/** The answer: refused with every error by path and reason, warnings beside it. */
export function encodeReview(uid: string, issues: readonly Issue[]): object {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const warnings = withoutErrors(issues);
  const causes = errors.map(({ path, message }) => ({
    reason: 'FieldValueInvalid',
    field: path,
    message,
  }));
  const foreign = errors.some(({ code }) => code === operatorIssueCode.foreignNode);
  const refusal = {
    ...(foreign ? { code: 403, reason: 'Forbidden' } : { code: 422, reason: 'Invalid' }),
    message: errors.map(formatIssue).join('; '),
    details: { causes },
  };
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid,
      allowed: !hasErrors(issues),
      ...(errors.length === 0 ? {} : { status: refusal }),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
  };
}
