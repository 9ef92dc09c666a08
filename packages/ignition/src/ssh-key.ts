import { decodeBase64 } from './base64.ts';
import type { NamedFinding } from './findings.ts';
import { controlCharacterIn, shown } from './path-rules.ts';

const keyTypes = [
  'ssh-ed25519',
  'ssh-rsa',
  'ssh-dss',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'ssh-ed25519-cert-v01@openssh.com',
  'ssh-rsa-cert-v01@openssh.com',
  'ecdsa-sha2-nistp256-cert-v01@openssh.com',
  'ecdsa-sha2-nistp384-cert-v01@openssh.com',
  'ecdsa-sha2-nistp521-cert-v01@openssh.com',
  'sk-ssh-ed25519-cert-v01@openssh.com',
  'sk-ecdsa-sha2-nistp256-cert-v01@openssh.com',
];

/** Longest line that sshd reads. */
const maxKeyLength = 16_384;

/**
 * What is wrong with a line of an authorized_keys file. A line that sshd could not even split is refused; a
 * key whose body is cut off is reported as damaged, since it is harmless: sshd ignores it.
 */
export function checkSshKey(line: string): NamedFinding | undefined {
  const key = line.trim();
  if (key === '') return invalid('the key is empty');
  if (key.length > maxKeyLength) return invalid(`the key is longer than ${maxKeyLength} bytes`);
  if (/PRIVATE KEY/.test(key)) return invalid('this is a private key', 'use the .pub file');
  if (/[\r\n]/.test(key))
    return invalid('the text has more than one line', 'write one entry per key');
  const control = controlCharacterIn(key.replaceAll('\t', ' '));
  if (control !== undefined) return invalid(`the key contains the control character ${control}`);
  const words = splitWords(key);
  const typeIndex = words.findIndex((word) => keyTypes.includes(word));
  // Options such as `from="10.0.0.0/8"` may stand before the type, as one word.
  const hasOptions = typeIndex === 1 && isOptions(words[0] ?? '');
  if (typeIndex !== 0 && !hasOptions) {
    return invalid(
      `${shown(words[0] ?? '')} is no known key type`,
      `known: ${keyTypes[0]}, ${keyTypes[1]}, …`,
    );
  }
  return checkBody(words[typeIndex] ?? '', words[typeIndex + 1]);
}

function invalid(message: string, hint?: string): NamedFinding {
  return { name: 'ssh-key-invalid', message, hint };
}

/** Words of the line; a quoted part of an option keeps its spaces, and a backslash the quote after it. */
function splitWords(line: string): string[] {
  const words: string[] = [];
  let word = '';
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] ?? '';
    if (!isQuoted && /[ \t]/.test(character)) {
      words.push(word);
      word = '';
      continue;
    }
    word += character;
    if (isQuoted && character === '\\') {
      index += 1;
      word += line[index] ?? '';
    } else if (character === '"') isQuoted = !isQuoted;
  }
  return [...words, word].filter((each) => each !== '');
}

/** Options that sshd knows; it ignores a line with any other. */
const optionNames = [
  ...['agent-forwarding', 'cert-authority', 'command', 'environment', 'expiry-time', 'from'],
  ...['no-agent-forwarding', 'no-port-forwarding', 'no-pty', 'no-touch-required', 'no-user-rc'],
  ...['no-x11-forwarding', 'permitlisten', 'permitopen', 'port-forwarding', 'principals', 'pty'],
  ...['restrict', 'tunnel', 'user-rc', 'verify-required', 'x11-forwarding'],
];

function isOptions(word: string): boolean {
  const names = word.replaceAll(/="(?:\\.|[^"\\])*"/g, '').split(',');
  return names.every((name) => optionNames.includes(name.toLowerCase()));
}

function checkBody(type: string, body: string | undefined): NamedFinding | undefined {
  if (body === undefined) return invalid('the key has a type and no body');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return invalid('the body of the key is not base64');
  const bytes = decodeBase64(body);
  if (bytes === undefined || !isWhole(bytes, type)) {
    return {
      name: 'ssh-key-damaged',
      message: `the body is not a whole ${type} key, so sshd will ignore it`,
      hint: 'paste the content of the .pub file again',
    };
  }
  return undefined;
}

/** True when the blob is a sequence of length-prefixed fields, the first of which repeats the type. */
function isWhole(bytes: Uint8Array, type: string): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let offset = 0;
  let count = 0;
  // A certificate has fixed-size numbers between its fields: only its first field can be checked here.
  const isCertificate = type.includes('-cert-');
  while (offset < bytes.length) {
    if (offset + 4 > bytes.length) return false;
    const end = offset + 4 + view.getUint32(offset);
    if (end > bytes.length) return false;
    if (count === 0 && new TextDecoder().decode(bytes.subarray(offset + 4, end)) !== type)
      return false;
    if (isCertificate) return end < bytes.length;
    offset = end;
    count += 1;
  }
  return count > 1;
}
