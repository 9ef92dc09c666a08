import { isJsonObject } from '@slipway/base';
import { type Draft, fill, items, section } from './draft.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/** `stringData` becomes `data`; the type is Opaque unless given. */
export function defaultSecret(secret: Draft): void {
  fill(secret, { type: 'Opaque' });
  const plain = secret['stringData'];
  if (!isJsonObject(plain)) return;
  const encoded = section(secret, 'data');
  for (const [key, value] of Object.entries(plain)) {
    encoded[key] = Buffer.from(String(value), 'utf8').toString('base64');
  }
  delete secret['stringData'];
}

/** Subjects and the role reference get their API groups. */
export function defaultBinding(binding: Draft): void {
  const role = binding['roleRef'];
  if (isJsonObject(role)) fill(role, { apiGroup: rbacGroup });
  for (const subject of items(binding, 'subjects')) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group')
      fill(subject, { apiGroup: rbacGroup });
  }
}

/** Defaults of webhooks. */
export function defaultWebhooks(configuration: Draft): void {
  for (const webhook of items(configuration, 'webhooks')) {
    fill(webhook, {
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
    });
    for (const rule of items(webhook, 'rules')) fill(rule, { scope: '*' });
    const client = section(webhook, 'clientConfig');
    if (isJsonObject(client['service'])) fill(client['service'], { port: 443 });
  }
}

/** Names and conversion of a CustomResourceDefinition. */
export function defaultCustomResourceDefinition(object: Draft): void {
  const spec = section(object, 'spec');
  const names = section(spec, 'names');
  const kind = String(names['kind'] ?? '');
  fill(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  fill(section(spec, 'conversion'), { strategy: 'None' });
}

/** The label by which selectors find a namespace by its name. */
export function defaultNamespace(namespace: Draft): void {
  const metadata = section(namespace, 'metadata');
  const name = metadata['name'];
  if (typeof name === 'string' && name !== '') {
    section(metadata, 'labels')['kubernetes.io/metadata.name'] = name;
  }
}
