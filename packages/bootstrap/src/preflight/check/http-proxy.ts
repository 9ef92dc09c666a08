import { type Check, warning } from '../check.ts';
import { exceptFromProxy, proxyOf } from '../proxy-of.ts';

/** Whether the API server would be asked through a proxy. */
export function httpProxy(host: string, port: number): Check {
  return {
    name: 'HTTPProxy',
    run: async ({ ground }) => {
      const proxy = proxyOf({ host, port }, ground.variables);
      if (proxy === undefined) return [];
      return [
        warning(
          `connections to https://${host} go through proxy ${proxy}`,
          `unless that is wanted: ${exceptFromProxy(host)}`,
        ),
      ];
    },
  };
}
