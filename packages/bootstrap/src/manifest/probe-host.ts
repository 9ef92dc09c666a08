import type { Argument } from '../config/configuration.ts';
import { lastArgument } from './command-line.ts';

/** The address that the kubelet probes; of a component that listens everywhere, the pod's own. */
export function probeHost(address: string): { readonly host?: string } {
  return address === '0.0.0.0' || address === '::' || address === '' ? {} : { host: address };
}

/** Of a component that listens on loopback unless the user says otherwise. */
export function bindAddressHost(extraArgs: readonly Argument[]): { readonly host?: string } {
  const given = lastArgument(extraArgs, 'bind-address');
  return given === undefined ? { host: '127.0.0.1' } : probeHost(given.value);
}
