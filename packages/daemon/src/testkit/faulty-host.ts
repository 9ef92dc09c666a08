import type { Boot, Host, HostFiles, Systemd } from '@slipway/host';

/** What happens at the chosen change. `kill-*`: the process is gone, before or after it took effect. */
export type Fault = 'kill-before' | 'kill-after' | 'fail';

/** Thrown by everything that a killed process would still have done. */
export class Killed extends Error {
  constructor() {
    super('killed');
  }
}

const changes = new Set([
  'stage',
  'commit',
  'discard',
  'write',
  'symlink',
  'setAttributes',
  'remove',
  'makeDirectory',
  'removeDirectory',
  'removeStaleTemporaries',
  'daemonReload',
  'enable',
  'disable',
  'mask',
  'unmask',
  'preset',
  'start',
  'stop',
  'restart',
  'reload',
  'reboot',
]);

/** A host of which one change goes wrong. */
export type FaultyHost = {
  readonly host: Host;
  /** What went wrong, as `stage /etc/chrony.conf`; undefined while nothing did. */
  hit(): string | undefined;
  /** Resolves when it did. */
  readonly happened: Promise<void>;
};

/** Stands before `host` and lets its change number `at` (from 0) go wrong. */
export function createFaultyHost(host: Host, fault: Fault, at: number): FaultyHost {
  let count = 0;
  let hit: string | undefined;
  let dead = false;
  const happened = Promise.withResolvers<void>();

  async function call(name: string, args: readonly unknown[], run: () => unknown) {
    if (dead) throw new Killed();
    if (!changes.has(name)) return run();
    const mine = count === at;
    count += 1;
    if (!mine) return run();
    hit = `${name} ${JSON.stringify(args[0] ?? '').slice(0, 120)}`;
    if (fault === 'fail') throw new Error(`${hit}: EIO`);
    if (fault === 'kill-after') await run();
    dead = true;
    happened.resolve();
    throw new Killed();
  }

  function wrap<T extends HostFiles | Systemd | Boot>(part: T): T {
    return new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) =>
          call(String(name), args, () => Reflect.apply(member, target, args));
      },
    });
  }

  return {
    host: {
      files: wrap(host.files),
      systemd: wrap(host.systemd),
      accounts: host.accounts,
      boot: wrap(host.boot),
    },
    hit: () => hit,
    happened: happened.promise,
  };
}
