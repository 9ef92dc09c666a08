import { describeError } from '@slipway/base';
import { askServer } from '../ask-server.ts';
import { type Check, failure, warning } from '../check.ts';

/** New certificates are valid from five minutes before they are made; source: kubeadm, kube-controller-manager. */
const toleratedMs = 5 * 60_000;
/** Less than this is no news: the server tells whole seconds, and the way takes time. */
const noticedMs = 10_000;
const timeoutMs = 10_000;

/** Clock of the machine against that of the API server at `host:port`. */
export function clockSkew(endpoint: string): Check {
  return {
    name: 'ClockSkew',
    run: async ({ ground, signal }) => {
      let served: number | undefined;
      try {
        served = await servedTime(endpoint, signal);
      } catch (error) {
        return [
          warning(
            `the clock of the API server at ${endpoint} cannot be asked: ${describeError(error)}`,
            'see that the machine reaches it, by name, route and firewall',
          ),
        ];
      }
      if (served === undefined) return [];
      const skewMs = ground.clock.now() - served;
      const amount = Math.abs(skewMs);
      if (amount < noticedMs) return [];
      const message = `the clock of this machine is ${wording(amount)} ${skewMs > 0 ? 'ahead of' : 'behind'} that of the API server at ${endpoint}`;
      const fix =
        'set the clock and keep it set: systemctl enable --now chrony (or systemd-timesyncd)';
      return amount > toleratedMs
        ? [failure(`${message}: new certificates are not valid yet on one of them`, fix)]
        : [warning(message, fix)];
    },
  };
}

/**
 * Time in the header Date of whatever answer. The server is not known yet and nothing but the time is
 * believed: discovery proves who it is, and fails itself when a certificate is not valid yet.
 */
async function servedTime(endpoint: string, signal?: AbortSignal): Promise<number | undefined> {
  const { date } = await askServer({
    ...{ url: `https://${endpoint}/version`, timeoutMs, maxBytes: 0 },
    tls: { rejectUnauthorized: false },
    ...(signal === undefined ? {} : { signal }),
  });
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function wording(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
