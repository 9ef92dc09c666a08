/** Every code that this room raises, and what it means. */
export const operatorErrorCodes = {
  'operator.definition-not-established':
    'a CustomResourceDefinition was created but the API server does not serve it in time',
  'operator.cordon-lost': 'a node was uncordoned again before the cordon could be verified',
  'operator.stopped': 'the operator was stopped before it was ready',
  'operator.webhook-listen': 'the admission webhook cannot listen on its address',
} as const;

export type OperatorErrorCode = keyof typeof operatorErrorCodes;

/** Codes of the issues that this room raises. */
export const operatorIssueCode = {
  /** A node tried to write the MachineConfigNode of another node. */
  foreignNode: 'admission.node.foreign',
  /** A pool cannot be rendered with the MachineConfig, which is valid by itself. */
  notRenderable: 'admission.pool.not-renderable',
  /** The MachineConfig wins over values of others. */
  overrides: 'admission.value.overrides',
  /** Values of the MachineConfig have no effect in a pool. */
  overridden: 'admission.value.overridden',
} as const;
