import { addressFamily } from '../../network/cidr.ts';
import {
  isDnsSubdomain,
  isPort,
  isWildcardSubdomain,
  parseHostPort,
} from '../../network/host-port.ts';
import type { ConfigurationCode } from '../codes.ts';
import type { Argument, ImagePullPolicy } from '../configuration.ts';
import type { Path } from '../document/source-node.ts';
import type { Finding } from '../finding.ts';
import type { Given } from '../given.ts';

/** Rules for single values (kubeadm's apis/kubeadm/validation); each gives its findings, none when all is well. */

export function refuse(
  code: ConfigurationCode,
  path: Path,
  message: string,
  hint?: string,
): readonly Finding[] {
  const finding: Finding = { code, severity: 'error', path, message };
  return [hint === undefined ? finding : { ...finding, hint }];
}

export function warn(
  code: ConfigurationCode,
  path: Path,
  message: string,
  hint: string,
): readonly Finding[] {
  return [{ code, severity: 'warning', path, message, hint }];
}

export const none: readonly Finding[] = [];

export function checkAbsolutePath(value: string, path: Path): readonly Finding[] {
  const code = 'bootstrap.config.path';
  if (!value.startsWith('/')) {
    return refuse(code, path, `${quote(value)} is not an absolute path`, 'start it with /');
  }
  if (!value.split('/').includes('..')) return none;
  // Ours: kubeadm takes it away by the text, the system by what is linked there.
  return refuse(code, path, `${quote(value)} has .. in it`, 'write where it leads to');
}

export function checkAlternativeNames(names: readonly string[], path: Path): readonly Finding[] {
  return names.flatMap((name, index) => {
    const isName = isDnsSubdomain(name) || isWildcardSubdomain(name);
    if (isName || addressFamily(name) !== undefined) return none;
    const message = `${quote(name)} is neither a DNS name, a wildcard nor an IP address`;
    return refuse('bootstrap.config.alternative-name', [...path, index], message);
  });
}

export function checkArguments(given: readonly Given<Argument>[], path: Path): readonly Finding[] {
  return given.flatMap(({ name = '', mergeMethod }, index) => {
    const at = [...path, index];
    const nameless =
      name === '' ? refuse('bootstrap.config.argument', at, 'an argument needs a name') : none;
    const merges = [undefined, 'append', 'prepend', ''] as readonly unknown[];
    const method = merges.includes(mergeMethod)
      ? none
      : refuse(
          'bootstrap.config.argument',
          [...at, 'mergeMethod'],
          `there is no merge method ${quote(String(mergeMethod))}`,
          'use append or prepend, or leave it out to replace',
        );
    return [...nameless, ...method];
  });
}

export function checkImagePullPolicy(value: ImagePullPolicy, path: Path): readonly Finding[] {
  return checkEnumeration(value, ['Always', 'IfNotPresent', 'Never'], path);
}

export function checkEnumeration(
  value: string,
  allowed: readonly string[],
  path: Path,
): readonly Finding[] {
  if (allowed.includes(value)) return none;
  const message = `${quote(value)} is not one of ${allowed.join(', ')}`;
  return refuse('bootstrap.config.enumeration', path, message);
}

export function checkPort(value: number, path: Path): readonly Finding[] {
  if (isPort(value)) return none;
  return refuse('bootstrap.config.port', path, `${value} is not a port from 1 to 65535`);
}

export function checkHostPort(value: string, path: Path): readonly Finding[] {
  if (parseHostPort(value) !== undefined) return none;
  const message = `${quote(value)} is not of the form host[:port]`;
  const hint = value.includes('://')
    ? 'leave out the scheme'
    : 'an IPv6 address with a port needs brackets';
  return refuse('bootstrap.config.endpoint', path, message, hint);
}

export function checkCriSocket(value: string, path: Path): readonly Finding[] {
  const code = 'bootstrap.config.cri-socket';
  if (value === '') return refuse(code, path, 'the socket of the container runtime is empty');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(value)?.[1];
  if (scheme === 'unix' && /^unix:\/\/\/./.test(value)) return none;
  const message =
    scheme === 'unix'
      ? `${quote(value)} names no absolute path`
      : `${quote(value)} is not a unix socket`;
  return refuse(code, path, message, 'write it as unix:///var/run/containerd/containerd.sock');
}

/** A repository that a name and a tag can follow (the reference grammar of the distribution project). */
export function checkImageRepository(value: string, path: Path): readonly Finding[] {
  const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
  const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
  const domain = `(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
  const repository = new RegExp(`^(?:${domain}|${component})(?:/${component})*$`);
  if (value.length <= 200 && repository.test(value)) return none;
  const message = `${quote(value)} is not a repository of images`;
  const hint = 'write it as registry.example.com:5000/path, without scheme, tag or final slash';
  return refuse('bootstrap.config.image-repository', path, message, hint);
}

export function checkUrls(
  values: readonly string[],
  requireHttps: boolean,
  path: Path,
): readonly Finding[] {
  return values.flatMap((value, index) => {
    const at = [...path, index];
    const code = 'bootstrap.config.url';
    if (!/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\//.test(value) || !URL.canParse(value)) {
      return refuse(code, at, `${quote(value)} is not an URL`, 'write it as https://10.0.0.1:2379');
    }
    const { protocol } = new URL(value);
    if (!requireHttps || protocol === 'https:') return none;
    return refuse(code, at, `${quote(value)} has to be https, because certificates are given`);
  });
}

export function quote(value: string): string {
  return JSON.stringify(value);
}
