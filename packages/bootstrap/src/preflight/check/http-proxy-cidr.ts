import { addressAt, parseCidr } from '../../network/cidr.ts';
import { type Check, failure, warning } from '../check.ts';
import { exceptFromProxy, proxyOf } from '../proxy-of.ts';

/** Whether services or pods would be asked through a proxy; the first address of the range stands for all. */
export function httpProxyCidr(range: string): Check {
  return {
    name: 'HTTPProxyCIDR',
    run: async ({ ground }) => {
      if (range === '') return [];
      const cidr = parseCidr(range.trim());
      const first = cidr && addressAt(cidr, 1);
      if (first === undefined) {
        return [failure(`${range} is no range of addresses`, 'correct the subnets of networking')];
      }
      const proxy = proxyOf({ host: first }, ground.variables);
      if (proxy === undefined) return [];
      return [
        warning(
          `connections to ${range} go through proxy ${proxy}: the API server will not reach services and pods`,
          exceptFromProxy(range),
        ),
      ];
    },
  };
}
