import { decodeNode, type Node, nodeAnnotation, nodes } from '@slipway/api';
import {
  type BackoffOptions,
  backoffDelayMs,
  type Clock,
  type Component,
  describeError,
  jsonEqual,
  type Logger,
} from '@slipway/base';
import type { Host, HostPath } from '@slipway/host';
import {
  createEventRecorder,
  createInformer,
  type EventRecorder,
  type Informer,
  type KubeClient,
  referenceTo,
} from '@slipway/kube';
import { Agent } from './agent.ts';
import { ConfigSource } from './config-source.ts';
import { expectState } from './declaration/expect.ts';
import type { ExpectedState } from './declaration/expected-state.ts';
import { readHostConfig } from './declaration/read-host-config.ts';
import { DriftMonitor } from './drift/monitor.ts';
import { watchedPaths } from './drift/watched-paths.ts';
import { NodeStatusWriter } from './node-status-writer.ts';
import { NodeWriter } from './node-writer.ts';
import { type Announce, type NodeEvent, Reporter } from './reporter.ts';
import type { StoredConfig } from './state/stored-config.ts';
import { forceFile } from './update/finish.ts';
import { Updater } from './update/updater.ts';
import { WorkLoop } from './work-loop.ts';

/** Where the daemon keeps its own records on the host. */
export const defaultStateDirectory: HostPath = '/var/lib/machine-config-daemon';

export type DaemonOptions = {
  readonly nodeName: string;
  readonly client: KubeClient;
  readonly host: Host;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default `/var/lib/machine-config-daemon`. */
  readonly stateDirectory?: HostPath;
  /** Receives the Events of this node; default: made through the client. */
  readonly announce?: Announce;
};

/** The node agent: keeps one host as its rendered configuration says, and reports. */
export function createDaemon(options: DaemonOptions): Component {
  return new Daemon(options);
}

/** Wakes by watches follow each other no faster than this, ms: a busy folder is no busy loop. */
const minIntervalMs = 50;
const failureBackoff: BackoffOptions = { initialMs: 500, maxMs: 60_000 };

class Daemon implements Component {
  readonly name: string;
  readonly #options: DaemonOptions;
  readonly #nodes: Informer<Node>;
  readonly #writer: NodeWriter;
  readonly #loop: WorkLoop;
  readonly #agent: Agent;
  readonly #monitor: DriftMonitor;
  readonly #recorder: EventRecorder;
  #subscription: Disposable | undefined;
  #stopping: boolean = false;
  #failures = 0;

  constructor(options: DaemonOptions) {
    const { nodeName, client, host, clock, logger } = options;
    this.name = `machine-config-daemon ${nodeName}`;
    this.#options = options;
    this.#writer = new NodeWriter(client, nodeName);
    const scope = { fieldSelector: `metadata.name=${nodeName}` };
    this.#nodes = createInformer(
      client,
      { resource: nodes, scope, transform: keepContract },
      { clock, logger },
    );
    this.#loop = new WorkLoop({ clock, minIntervalMs, work: () => this.#round() });
    this.#monitor = new DriftMonitor(host, () => this.#loop.wake());
    const component = 'machine-config-daemon';
    this.#recorder = createEventRecorder({ client, component, host: nodeName, clock, logger });
    this.#agent = this.#createAgent();
  }

  async start(signal?: AbortSignal): Promise<void> {
    this.#subscription = this.#nodes.onChange(({ before, after }) => {
      if (after === undefined) return;
      this.#writer.observe(after);
      if (!jsonEqual(before, after)) this.#loop.wake();
    });
    await this.#recorder.start(signal);
    await this.#nodes.start(signal);
    this.#loop.start();
  }

  /** Waits for the step in progress, not for the update: the journal goes on at the next start. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#subscription?.[Symbol.dispose]();
    await this.#loop.stop();
    await this.#monitor.stop();
    await this.#nodes.stop();
    await this.#recorder.stop();
  }

  #record(event: NodeEvent): void {
    const node = this.#nodes.get(this.#options.nodeName);
    if (node !== undefined) this.#recorder.record(referenceTo(nodes, node), event);
  }

  async #round(): Promise<number> {
    const { clock, logger } = this.#options;
    try {
      const dueMs = await this.#agent.round();
      this.#failures = 0;
      return dueMs;
    } catch (error) {
      const delayMs = backoffDelayMs(this.#failures, failureBackoff);
      this.#failures += 1;
      logger.warn('round failed', { error: describeError(error), delayMs, at: clock.monotonic() });
      return delayMs;
    }
  }

  #createAgent(): Agent {
    const { client, clock, host, logger, nodeName, announce } = this.#options;
    const now = () => clock.now();
    const expect = cachedExpectations(host, clock);
    const stateDirectory = this.#options.stateDirectory ?? defaultStateDirectory;
    const pause = (ms: number) => clock.sleep(ms);
    const updater = new Updater({ host, stateDirectory, logger, now, pause, expect });
    const status = new NodeStatusWriter(client, nodeName, clock);
    const reporter = new Reporter({
      node: this.#writer,
      status,
      logger,
      announce: announce ?? ((event) => this.#record(event)),
    });
    return new Agent({
      host,
      files: updater.files,
      updater,
      source: new ConfigSource(client, clock),
      reporter,
      logger,
      now,
      expect,
      contract: () => decodeNode({ metadata: { annotations: this.#writer.annotations } }),
      stopping: () => this.#stopping,
      watch: (expected) => this.#watch(expected),
    });
  }

  async #watch(expected: ExpectedState | undefined): Promise<void> {
    const { host } = this.#options;
    const paths = expected === undefined ? [] : await watchedPaths(host, expected);
    await this.#monitor.watch([...paths, forceFile]);
  }
}

/** Of the Node only the contract is cached; a heartbeat then changes nothing and wakes nobody. */
function keepContract(node: Node): Node {
  const { name, uid, annotations = {} } = node.metadata ?? {};
  const known = new Set<string>(Object.values(nodeAnnotation));
  return {
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(uid === undefined ? {} : { uid }),
      annotations: Object.fromEntries(
        Object.entries(annotations).filter(([key]) => known.has(key)),
      ),
    },
  };
}

/** Accounts are looked up again after this time, ms. */
const accountsMs = 10_000;

/** Reading and hashing a configuration on every event would be a waste: it never changes. */
function cachedExpectations(
  host: Host,
  clock: Clock,
): (config: StoredConfig) => Promise<ExpectedState> {
  let last:
    | { readonly name: string; readonly atMs: number; readonly state: ExpectedState }
    | undefined;
  return async (config) => {
    const atMs = clock.monotonic();
    if (last?.name === config.name && atMs - last.atMs < accountsMs) return last.state;
    const state = await expectState(readHostConfig(config), host.accounts);
    last = { name: config.name, atMs, state };
    return state;
  };
}
