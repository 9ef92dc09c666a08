// The library's dependency injection needs the metadata polyfill before its first module runs.
import 'reflect-metadata';
import * as library from '@peculiar/x509';

/** The X.509 library; import this file only lazily, through `loadX509`. */
export const x509Library: typeof library = library;
