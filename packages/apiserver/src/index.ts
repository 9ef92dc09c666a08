/** `@slipway/apiserver`: the embedded API server for trying, tests and simulations. */
export { apiserverErrorCodes } from './errors.ts';
export { type ApiServer, type ApiServerOptions, createApiServer } from './server.ts';
