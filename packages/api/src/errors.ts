/** Codes of the issues that this room raises, and what each means. */
export const apiIssueCodes = {
  'api.selector.key-invalid': 'a label selector names something that is no label key',
  'api.selector.value-invalid': 'a label selector holds something that is no label value',
  'api.selector.values-missing': 'In and NotIn need at least one value',
  'api.selector.values-forbidden': 'Exists and DoesNotExist take no values',
  'api.selector.operator-unknown': 'the operator of a requirement is none of the four',
} as const;

export type ApiIssueCode = keyof typeof apiIssueCodes;
