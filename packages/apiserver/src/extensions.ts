import type { Clock, Component, Logger } from '@slipway/base';
import type { CertificateAuthority } from '@slipway/pki';
import { createCertificateRequestChecks } from './admission/certificate-requests.ts';
import { createNamespaceLifecycle } from './admission/namespace-lifecycle.ts';
import { createNodeRestriction } from './admission/node-restriction.ts';
import { createEscalationCheck } from './admission/rbac-escalation.ts';
import { createValidatingWebhooks } from './admission/validating-webhooks.ts';
import { WebhookClient } from './admission/webhook-client.ts';
import { createWebhookConfigurationCheck } from './admission/webhook-configuration.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { createAuthorizer } from './auth/authorizer.ts';
import { RbacIndex } from './auth/rbac-index.ts';
import { expressionLoader } from './cel/expressions.ts';
import type {
  AdmissionPlugin,
  Authenticator,
  Authorizer,
  LocalAccess,
  ResourceCatalogue,
} from './contract.ts';
import { createBootstrapObjects } from './controllers/bootstrap-objects.ts';
import { createCertificateApproval } from './controllers/certificate-approval.ts';
import { createCertificateSigning } from './controllers/certificate-signing.ts';
import { type ClusterInfo, createClusterInfo } from './controllers/cluster-info.ts';
import { createDisruptionBudgets } from './controllers/disruption-budget.ts';
import { createEventExpiry } from './controllers/event-expiry.ts';
import { createGarbageCollector } from './controllers/garbage-collector.ts';
import { createNamespaceEmptying } from './controllers/namespace-emptying.ts';
import { createRoleAggregation } from './controllers/role-aggregation.ts';
import { createTokenExpiry } from './controllers/token-expiry.ts';
import { createCrdAdmission } from './crd/crd-admission.ts';
import { createCrdController } from './crd/crd-controller.ts';

export type ExtensionOptions = {
  readonly catalogue: ResourceCatalogue;
  /** May be used once the controllers are started; the store must be open by then. */
  readonly access: LocalAccess;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Signs client certificates; also the CA that client certificates are verified against. */
  readonly certificateAuthority: CertificateAuthority;
  /**
   * What `kube-public/cluster-info` tells joining hosts; absent: it is not kept. Asked again while it
   * answers undefined, which it does until the server listens.
   */
  readonly clusterInfo?: () => ClusterInfo | undefined;
};

/** What the server's core is composed with. */
export type Extensions = {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** In the order in which they judge. */
  readonly admission: readonly AdmissionPlugin[];
  /** In the order in which they start; all must be started before the server listens. */
  readonly controllers: readonly Component[];
};

function followRoles(index: RbacIndex, options: ExtensionOptions): Component {
  let following: Disposable | undefined;
  return {
    name: 'rbac-index',
    async start() {
      following ??= index.follow(options.catalogue, options.access);
    },
    async stop() {
      following?.[Symbol.dispose]();
      following = undefined;
    },
  };
}

/** A component that only has an end. */
function closing(name: string, close: () => void): Component {
  return { name, start: async () => undefined, stop: async () => close() };
}

/** Everything of the server that is not storing and answering: identity, permission, admission, controllers. */
export function createExtensions(options: ExtensionOptions): Extensions {
  const { catalogue, access, clusterInfo } = options;
  const index = new RbacIndex();
  const expressions = expressionLoader();
  const webhooks = new WebhookClient();
  const authorizer = createAuthorizer({ catalogue, access, index });
  return {
    authenticator: createAuthenticator(options),
    authorizer,
    admission: [
      createNamespaceLifecycle(catalogue, access),
      createNodeRestriction(catalogue, access),
      createEscalationCheck({ authorizer, index }),
      createCertificateRequestChecks(authorizer),
      createCrdAdmission({ catalogue, access, expressions }),
      createWebhookConfigurationCheck(expressions),
      createValidatingWebhooks({ ...options, client: webhooks, expressions }),
    ],
    controllers: [
      followRoles(index, options),
      closing('webhook-connections', () => webhooks.close()),
      createBootstrapObjects(catalogue, access),
      createRoleAggregation(options),
      createCrdController({ ...options, expressions }),
      createCertificateApproval({ ...options, authorizer }),
      createCertificateSigning({ ...options, authority: options.certificateAuthority }),
      createGarbageCollector(options),
      createNamespaceEmptying(options),
      createDisruptionBudgets(options),
      createEventExpiry(options),
      createTokenExpiry(options),
      ...(clusterInfo === undefined ? [] : [createClusterInfo({ ...options, clusterInfo })]),
    ],
  };
}
