import type { AdmissionRequest } from '../contract.ts';
import { forbidden } from '../status/status-errors.ts';

/** 403 of an admission plugin: `pods "x" is forbidden: cause`. */
export function refusal(request: AdmissionRequest, cause: string) {
  return forbidden(request.definition, request.name, cause);
}

/** True when the request is about this group and plural. */
export function isAbout(request: AdmissionRequest, group: string, plural: string): boolean {
  return request.definition.group === group && request.definition.plural === plural;
}
