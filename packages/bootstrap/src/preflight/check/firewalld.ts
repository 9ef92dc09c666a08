import { type Check, warning } from '../check.ts';

export function firewalld(ports: readonly number[]): Check {
  return {
    name: 'Firewalld',
    run: async ({ ground }) => {
      // Where units cannot be asked, none of them filters packets either: Service-kubelet tells of it.
      const status = await ground.systemd?.status('firewalld.service').catch(() => undefined);
      if (!/^(?:active|activating)$/.test(status?.activeState ?? '')) return [];
      return [
        warning(
          `firewalld is active; ports ${ports.join(' and ')} have to be reachable`,
          `open them: firewall-cmd --permanent ${ports.map((port) => `--add-port=${port}/tcp`).join(' ')} && firewall-cmd --reload`,
        ),
      ];
    },
  };
}
