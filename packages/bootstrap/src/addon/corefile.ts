/** One plugin of a server block, with its options on lines of their own. */
type Plugin = string | { readonly plugin: string; readonly options: readonly string[] };

function plugins(domain: string): readonly Plugin[] {
  const reverseZones = 'in-addr.arpa ip6.arpa';
  return [
    'errors',
    // Goes on answering while its address is taken out of the Service.
    { plugin: 'health', options: ['lameduck 5s'] },
    'ready',
    {
      plugin: `kubernetes ${domain} ${reverseZones}`,
      options: ['pods insecure', `fallthrough ${reverseZones}`, 'ttl 30'],
    },
    'prometheus :9153',
    { plugin: 'forward . /etc/resolv.conf', options: ['max_concurrent 1000'] },
    // Names of the cluster are answered from memory anyway.
    { plugin: 'cache 30', options: [`disable success ${domain}`, `disable denial ${domain}`] },
    'loop',
    'reload',
    'loadbalance',
  ];
}

function lines(plugin: Plugin): readonly string[] {
  if (typeof plugin === 'string') return [`    ${plugin}`];
  const options = plugin.options.map((option) => `       ${option}`);
  return [`    ${plugin.plugin} {`, ...options, '    }'];
}

/** What CoreDNS does in a new cluster whose names end in `domain`. */
export function corefile(domain: string): string {
  return `${['.:53 {', ...plugins(domain).flatMap(lines), '}'].join('\n')}\n`;
}

/** The form of older releases of kubeadm, which kept names of the cluster in the cache as well. */
function olderCorefile(domain: string): string {
  return corefile(domain).replace(/cache 30 \{[^}]*\}/, 'cache 30');
}

/** True when nobody changed it: it is what a new cluster has, of this or an older release. */
export function isDefaultCorefile(text: string): boolean {
  const [, domain] = /^ *kubernetes (\S+) in-addr\.arpa ip6\.arpa \{$/m.exec(text) ?? [];
  if (domain === undefined) return false;
  return [corefile(domain), olderCorefile(domain)].some((known) => known.trim() === text.trim());
}
