import { TerminalError, UserError } from '@slipway/base';
import { encodePem, parsePem, publicKeyPin } from '@slipway/pki';
import type { BootstrapErrorCode } from '../errors.ts';

const hexDigits = 64;

/**
 * Why a text is not a pin; undefined: it is one. A pin is `sha256:` and the SHA-256 of the public key
 * (SubjectPublicKeyInfo) of a certificate authority in 64 hex digits, both in any case, as for kubeadm.
 */
export function pinProblem(text: string): string | undefined {
  const [format = '', value, ...rest] = text.split(':');
  if (value === undefined || rest.length > 0) return 'it is not of the form sha256:<hex digits>';
  if (format.toLowerCase() !== 'sha256') {
    return `format ${JSON.stringify(format)} is not known; the only one is sha256`;
  }
  if (!/^[0-9a-f]*$/i.test(value)) return 'what follows sha256: are not hex digits only';
  if (value.length !== hexDigits) {
    return `a SHA-256 has ${hexDigits} hex digits, here are ${value.length}`;
  }
  return undefined;
}

/** Pins in lower case; throws one UserError that names everything that is wrong. */
export function parsePins(texts: readonly string[]): readonly string[] {
  const problems = texts.flatMap((text) => {
    const problem = pinProblem(text);
    return problem === undefined ? [] : [`${JSON.stringify(text)}: ${problem}`];
  });
  if (problems.length === 0) return texts.map((text) => text.toLowerCase());
  const code: BootstrapErrorCode = 'bootstrap.discovery.pin-malformed';
  throw new UserError(`read pins of the certificate authority: ${problems.join('; ')}`, { code });
}

/** The pin of each certificate of a PEM text. */
export function authorityPins(pem: string): readonly string[] {
  return parsePem(pem)
    .filter((block) => block.label === 'CERTIFICATE')
    .map((block) => publicKeyPin(encodePem(block.label, block.der)));
}

/** The certificates of a PEM text that have one of the pins, as PEM; empty when none has. */
export function pinnedAuthorities(pem: string, pins: readonly string[]): string {
  return parsePem(pem)
    .filter((block) => block.label === 'CERTIFICATE')
    .map((block) => encodePem(block.label, block.der))
    .filter((certificate) => matchesPins(certificate, pins))
    .join('');
}

/** True when one of the authorities has one of the pins; `sha256:<hex>`, any case. */
export function matchesPins(certificateAuthorityPem: string, pins: readonly string[]): boolean {
  const wanted = pins.map((pin) => pin.toLowerCase());
  return authorityPins(certificateAuthorityPem).some((pin) => wanted.includes(pin));
}

/** Throws a TerminalError unless `matchesPins`. */
export function checkPins(certificateAuthorityPem: string, pins: readonly string[]): void {
  if (matchesPins(certificateAuthorityPem, pins)) return;
  const seen = authorityPins(certificateAuthorityPem).join(', ') || '(none)';
  const code: BootstrapErrorCode = 'bootstrap.discovery.pin';
  throw new TerminalError(
    `read cluster-info: authority ${seen} matches none of ${pins.join(', ') || '(no pin given)'}`,
    { code },
  );
}
