/**
 * `@slipway/operator`: the controllers of machine configuration. Installs what they need, renders
 * pools, rolls configurations out node by node, drains, keeps the disruption policy, and judges what
 * people and daemons write. Talks to the Kubernetes API only.
 */
export { type OperatorErrorCode, operatorErrorCodes, operatorIssueCode } from './errors.ts';
export type { WebhookAddress } from './install/apply-webhook.ts';
export { applyOperatorAccess } from './install/operator-access.ts';
export {
  createOperator,
  type LeadershipOptions,
  type OperatorOptions,
  type WebhookOptions,
} from './operator.ts';
