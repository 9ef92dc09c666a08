/** The one place that loads the X.509 library: it costs about 100 ms, so nobody pays who issues nothing. */
export type X509Library = typeof import('@peculiar/x509');

let loading: Promise<X509Library> | undefined;

async function load(): Promise<X509Library> {
  // The library's dependency injection needs the metadata polyfill before its first module runs.
  await import('reflect-metadata');
  return await import('@peculiar/x509');
}

export function loadX509(): Promise<X509Library> {
  loading ??= load();
  return loading;
}
