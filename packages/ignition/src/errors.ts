/** Codes of the errors that this room throws; what it finds in a document are issues, see `codes.ts`. */
export const ignitionErrors = {
  /** The caller decoded contents that validation had refused. */
  contentsNotValidated: 'ignition.contents-not-validated',
} as const;
