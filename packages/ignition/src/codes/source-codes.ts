import type { CatalogueEntry } from './catalogue-entry.ts';

/** Codes about contents: sources, compression and verification. */
export const sourceCodes = {
  'compression-unknown': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The compression is neither empty nor `gzip` (in lower case).',
    fix: 'Write `gzip`, or remove the field.',
  },
  'verification-without-source': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A hash without a source has nothing to verify.',
    fix: 'Add `source:`, or remove the hash.',
  },
  'header-scheme': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'HTTP headers only make sense for an HTTP source, and contents are never fetched from a network here.',
    fix: 'Remove `httpHeaders`.',
  },
  'hash-malformed': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A hash is the name of a function, a dash and hexadecimal digits.',
    fix: 'Write for example `sha256-` followed by 64 digits.',
  },
  'hash-function': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The hash function is not known: there are `sha256` and `sha512`, in lower case.',
    fix: 'Use one of them.',
  },
  'hash-size': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The hash has the wrong number of digits: 64 for sha256, 128 for sha512.',
    fix: 'Copy the whole digest.',
  },
  'hash-hex': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The hash contains something else than hexadecimal digits, so no contents could ever match it.',
    fix: 'Write the digest in hexadecimal.',
  },
  'hash-mismatch': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The decoded contents have another digest than the one declared, so every host would refuse the file.',
    fix: 'Correct the hash or the contents; the hash is taken after decompression.',
  },
  'url-scheme': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The source does not begin with the scheme of a URL that Ignition knows.',
    fix: 'Write the contents as a data URL: `data:,text` with percent escapes, or `data:;base64,`.',
  },
  'url-unparsable': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The source is no URL; a line break at the end is the usual reason.',
    fix: 'Remove control characters. In YAML, put the URL on one line, or use `>-` instead of `|`.',
  },
  'source-scheme-unsupported': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The contents would have to be fetched from somewhere else. A MachineConfig carries its contents, so that what was reviewed is what hosts get.',
    fix: 'Embed the contents as a data URL.',
  },
  'dataurl-prefix': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A data URL begins with `data:` in lower case.',
    fix: 'Correct the beginning.',
  },
  'dataurl-no-comma': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A data URL has a comma before its data, even when there is no media type.',
    fix: 'Add the comma: `data:,text`.',
  },
  'dataurl-after-prefix': {
    severity: 'error',
    rule: 'ignition',
    reason: 'After `data:` comes a media type, `;` or `,`.',
    fix: 'Remove the character; `data:,text` is the shortest form.',
  },
  'dataurl-no-slash': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'The media type has no slash; it is of the form `text/plain`. Perhaps the comma is missing.',
    fix: 'Write `data:,` before the text, or complete the media type.',
  },
  'dataurl-media-type-char': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'The media type contains a character that it cannot contain. For `data:base64,` the semicolon is missing.',
    fix: 'Write `data:;base64,` or a media type such as `text/plain`.',
  },
  'dataurl-media-type': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'The media type is none of text, image, audio, video, application, message, multipart, or one that begins with `x-`, all in lower case.',
    fix: 'Leave the media type out: hosts ignore it.',
  },
  'dataurl-media-incomplete': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The data URL ends after its media type.',
    fix: 'Add a comma and the data.',
  },
  'dataurl-subtype-char': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'The part of the media type after the slash contains a character that it cannot contain.',
    fix: 'Leave the media type out: hosts ignore it.',
  },
  'dataurl-param-unterminated': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A semicolon of the data URL is not followed by a parameter.',
    fix: 'Remove the semicolon, or complete the parameter.',
  },
  'dataurl-param-attr-char': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'The name of a parameter contains a character that it cannot contain; a space after `;` and a parameter after `base64` are the usual reasons.',
    fix: 'Write parameters as `;name=value` without spaces, and `;base64` last.',
  },
  'dataurl-param-value-char': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The value of a parameter is empty or contains a character that it cannot contain.',
    fix: 'Put the value in double quotes, or remove the parameter.',
  },
  'dataurl-param-unclosed': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A quoted parameter of the data URL is not closed.',
    fix: 'Add the closing quote.',
  },
  'dataurl-param-unquote': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A quoted parameter of the data URL has an escape that does not exist.',
    fix: 'Use a backslash only before `"` and another backslash.',
  },
  'dataurl-not-base64-token': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A parameter without a value must be exactly `base64`, in lower case.',
    fix: 'Write `;base64`.',
  },
  'dataurl-data-char': {
    severity: 'error',
    rule: 'ignition',
    reason:
      'The data contains a character that must be escaped. Such are space, quotes, `#`, `<`, `>`, brackets, braces, `|`, `\\`, `^`, a backtick, a control character or anything outside ASCII. In base64 data, the alphabet is the standard one, without percent escapes.',
    fix: 'Escape the character as `%` and two hexadecimal digits, or encode the contents in base64.',
  },
  'dataurl-percent-truncated': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The data ends in the middle of a percent escape.',
    fix: 'Complete the escape; a percent sign itself is `%25`.',
  },
  'dataurl-percent-invalid': {
    severity: 'error',
    rule: 'ignition',
    reason: 'A percent sign is not followed by two hexadecimal digits.',
    fix: 'Write a percent sign as `%25`.',
  },
  'dataurl-base64': {
    severity: 'error',
    rule: 'ignition',
    reason: 'The data is not standard base64: its padding (`=`) is missing, misplaced or doubled.',
    fix: 'Encode again, for example with `base64 -w0 FILE`.',
  },
  'gzip-empty': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The contents are declared as gzip and are empty.',
    fix: 'Compress the contents, or remove `compression`.',
  },
  'gzip-header': {
    severity: 'error',
    rule: 'slipway',
    reason:
      'The contents are declared as gzip and are something else. Either they do not begin like gzip, or something else follows the compressed data.',
    fix: 'Remove `compression`, or compress the contents with gzip before the base64 encoding.',
  },
  'gzip-truncated': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The compressed contents end too early.',
    fix: 'Compress and encode the whole file again.',
  },
  'gzip-corrupt': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The compressed contents are damaged.',
    fix: 'Compress and encode the file again.',
  },
  'gzip-checksum': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The compressed contents decompress to something else than what was compressed.',
    fix: 'Compress and encode the file again.',
  },
  'gzip-too-large': {
    severity: 'error',
    rule: 'slipway',
    reason: 'The contents decompress to more than 16 MiB in one file, or 64 MiB in one config.',
    fix: 'Deliver large files with a package or an image.',
  },
} as const satisfies Record<string, CatalogueEntry>;
