import { isDnsSubdomain } from '../../network/host-port.ts';
import type { ApiEndpoint, NodeRegistration } from '../configuration.ts';
import type { Path } from '../document/source-node.ts';
import type { Finding } from '../finding.ts';
import {
  checkArguments,
  checkCriSocket,
  checkImagePullPolicy,
  checkPort,
  none,
  quote,
  refuse,
} from './rules.ts';

/** Rules for nodeRegistration (ValidateNodeRegistrationOptions), and our own for taints. */
export function validateNode(node: NodeRegistration): readonly Finding[] {
  const path = ['nodeRegistration'];
  return [
    ...nameFindings(node.name),
    ...checkCriSocket(node.criSocket, [...path, 'criSocket']),
    ...checkArguments(node.kubeletExtraArgs, [...path, 'kubeletExtraArgs']),
    ...checkImagePullPolicy(node.imagePullPolicy, [...path, 'imagePullPolicy']),
    ...taintFindings(node),
  ];
}

function nameFindings(name: string): readonly Finding[] {
  const path = ['nodeRegistration', 'name'];
  const code = 'bootstrap.config.node-name';
  if (name === '') {
    return refuse(code, path, 'the node has no name', 'give it with --node-name');
  }
  if (isDnsSubdomain(name)) return none;
  const hint = 'use lower-case letters, digits, - and .; give another with --node-name';
  return refuse(code, path, `${quote(name)} is not a DNS subdomain`, hint);
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function taintFindings({ taints }: NodeRegistration): readonly Finding[] {
  return taints.flatMap(({ key, effect }, index) => {
    const path = ['nodeRegistration', 'taints', index];
    if (key === undefined || key === '') {
      return refuse('bootstrap.config.required', path, 'a taint needs a key');
    }
    if (effects.includes(effect)) return none;
    const message = `${quote(effect ?? '')} is not one of ${effects.join(', ')}`;
    return refuse('bootstrap.config.enumeration', [...path, 'effect'], message);
  });
}

/** The port; the address is checked where it is found out. */
export function validateEndpoint({ bindPort }: ApiEndpoint, path: Path): readonly Finding[] {
  return checkPort(bindPort, [...path, 'bindPort']);
}

export function validateCertificateKey(key: string | undefined, path: Path): readonly Finding[] {
  if (key === undefined || key === '' || /^[0-9a-fA-F]{64}$/.test(key)) return none;
  const message = 'the certificate key is not 64 hex digits';
  return refuse(
    'bootstrap.config.certificate-key',
    path,
    message,
    'make one with `slipway certs certificate-key`',
  );
}
