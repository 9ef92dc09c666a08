/** The X.509 library's exports. */
export type X509Library = typeof import('@peculiar/x509');

/** The one place that loads the X.509 library: it costs about 100 ms, so nobody pays who issues nothing. */
export async function loadX509(): Promise<X509Library> {
  // Through a file of our own: bundlers give a lazily imported CommonJS package no named exports.
  return (await import('./x509-module.ts')).x509Library;
}
