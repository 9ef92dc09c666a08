const up = 0x1;
const gateway = 0x2;

type Route = { readonly interfaceName: string; readonly metric: number };

/**
 * Interface of the default route in the text of `/proc/net/route` (IPv4) or `/proc/net/ipv6_route`: the
 * one with the least metric, the first of equals. Undefined when there is no default route that is up.
 */
export function defaultRouteInterfaceOf(family: 'ipv4' | 'ipv6', text: string): string | undefined {
  const read = family === 'ipv4' ? readRoute : readRoute6;
  const routes = text.split('\n').flatMap((line) => read(line.trim().split(/\s+/)) ?? []);
  const [best] = routes.sort((left, right) => left.metric - right.metric);
  return best?.interfaceName;
}

/** Iface Destination Gateway Flags RefCnt Use Metric Mask … */
function readRoute(fields: readonly string[]): Route | undefined {
  const [interfaceName = '', destination, , flags = '', , , metric, mask] = fields;
  if (destination !== '00000000' || mask !== '00000000' || !leadsOut(flags)) return undefined;
  return { interfaceName, metric: Number(metric) };
}

/** destination length source length next-hop metric references use flags interface */
function readRoute6(fields: readonly string[]): Route | undefined {
  const [destination = '', length, , , , metric = '', , , flags = '', interfaceName = ''] = fields;
  if (!/^0{32}$/.test(destination) || length !== '00' || !leadsOut(flags)) return undefined;
  return interfaceName === 'lo'
    ? undefined
    : { interfaceName, metric: Number.parseInt(metric, 16) };
}

function leadsOut(flags: string): boolean {
  const bits = Number.parseInt(flags, 16);
  return (bits & up) !== 0 && (bits & gateway) !== 0;
}
