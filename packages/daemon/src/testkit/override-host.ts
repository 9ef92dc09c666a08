import type { Boot, Host, HostFiles, Systemd } from '@slipway/host';

type Overrides = {
  readonly files?: Partial<HostFiles>;
  readonly systemd?: Partial<Systemd>;
  readonly boot?: Partial<Boot>;
};

/** `host`, but for the given methods. */
export function overrideHost(host: Host, overrides: Overrides): Host {
  return {
    files: override(host.files, overrides.files),
    systemd: override(host.systemd, overrides.systemd),
    boot: override(host.boot, overrides.boot),
    accounts: host.accounts,
  };
}

function override<T extends object>(part: T, methods: Partial<T> | undefined): T {
  if (methods === undefined) return part;
  return new Proxy(part, {
    get(target, name) {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
