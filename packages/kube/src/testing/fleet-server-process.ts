/** Child process of the informer bench: serves a fleet and tells its address to the parent. */
import { serveFleet } from './node-fleet.ts';

const [size, changes] = process.argv.slice(2).map(Number);
const server = serveFleet(size ?? 0, changes ?? 0);
await server.start();
process.send?.({ server: server.connection.server });
process.on('disconnect', () => void server[Symbol.asyncDispose]());
