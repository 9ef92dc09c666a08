import { type Secret, TerminalError } from '@slipway/base';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import type { BootstrapErrorCode } from '../errors.ts';

/** What renewal puts into a kubeconfig. */
export type EmbeddedCredentials = {
  readonly authorityPem: string;
  readonly certificatePem: string;
  readonly keyPem: Secret;
};

/**
 * A kubeconfig as the document that it is: renewal changes three of its fields and nothing else, so that
 * what slipway does not know of (extensions, further contexts) stays.
 */
export interface KubeconfigDocument {
  /** The client certificate that the current context embeds. */
  readonly certificatePem: string;
  /** The text with other credentials in the current context. */
  withCredentials(credentials: EmbeddedCredentials): string;
}

/** @throws TerminalError `bootstrap.kubeconfig.unusable` where the current context embeds no client certificate */
export function readKubeconfigDocument(text: string, path: string): KubeconfigDocument {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw unusable(path, problem.message);
  const context = named(document, path, 'contexts', String(document.get('current-context') ?? ''));
  const cluster = named(document, path, 'clusters', String(context.getIn(['context', 'cluster'])));
  const user = named(document, path, 'users', String(context.getIn(['context', 'user'])));
  const certificate = user.getIn(['user', 'client-certificate-data']);
  if (typeof certificate !== 'string') throw unusable(path, 'it embeds no client certificate');
  return {
    certificatePem: Buffer.from(certificate, 'base64').toString('utf8'),
    withCredentials({ authorityPem, certificatePem, keyPem }) {
      cluster.setIn(['cluster', 'certificate-authority-data'], base64(authorityPem));
      user.setIn(['user', 'client-certificate-data'], base64(certificatePem));
      user.setIn(['user', 'client-key-data'], base64(keyPem.reveal()));
      return document.toString({ lineWidth: 0 });
    },
  };
}

function named(document: Document, path: string, list: string, name: string): YAMLMap {
  const entries = document.get(list);
  const found = isSeq(entries)
    ? entries.items.find((item) => isMap(item) && item.get('name') === name)
    : undefined;
  if (isMap(found)) return found;
  throw unusable(path, `${list} has no "${name}"`);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function unusable(path: string, why: string): TerminalError {
  const code: BootstrapErrorCode = 'bootstrap.kubeconfig.unusable';
  return new TerminalError(`read kubeconfig ${path}: ${why}`, { code });
}
