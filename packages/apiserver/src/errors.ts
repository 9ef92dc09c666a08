/** Codes of the errors that this room raises itself; answers to clients are Status objects instead. */
export const apiserverErrorCodes = {
  /** Another process has the database file open. */
  storageLocked: 'apiserver.storage.locked',
  /** The file is no database of ours, or its pages are damaged. */
  storageCorrupt: 'apiserver.storage.corrupt',
  /** A newer slipway wrote the file. */
  storageNewer: 'apiserver.storage.newer-schema',
  /** A transaction failed; nothing of it became visible. */
  storageWrite: 'apiserver.storage.write-failed',
  /** The folder or file cannot be opened. */
  storageOpen: 'apiserver.storage.open-failed',
  /** The port cannot be listened on. */
  listen: 'apiserver.http.listen-failed',
  /** The server was used before its start. */
  notStarted: 'apiserver.server.not-started',
  /** A type is asked for that the generated tables do not have. */
  unknownType: 'apiserver.type.unknown',
} as const;
