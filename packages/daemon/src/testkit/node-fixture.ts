import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DefaultDisruptionActions,
  type DrainRequest,
  type DriftFinding,
  decodeNode,
  encodeDesired,
  encodeDrainApplied,
  type MachineConfig,
  type MachineConfigNode,
  type MachineConfiguration,
  machineConfigNodes,
  machineConfigs,
  machineConfigurations,
  type NodeContract,
  type NodeDisruptionPolicy,
  nodes,
} from '@slipway/api';
import { type Clock, type Component, type Logger, silentLogger, systemClock } from '@slipway/base';
import { createSimulatedHost, type Host, type SimulatedHost } from '@slipway/host';
import { createDaemon } from '../daemon.ts';
import type { NodeEvent } from '../reporter.ts';
import { MemoryClient } from './memory-client.ts';

const nodeName = 'worker-1';

export type NodeFixtureOptions = {
  readonly policy?: NodeDisruptionPolicy;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Stands between the daemon and the host. */
  readonly wrap?: (host: Host) => Host;
  /** False: a requested reboot is only counted. Default: the host reboots and the daemon starts again. */
  readonly reboots?: boolean;
};

/** One simulated host with its daemon and an API in memory that knows only this node. */
export class NodeFixture implements AsyncDisposable {
  readonly client = new MemoryClient();
  readonly events: NodeEvent[] = [];
  readonly host: SimulatedHost;
  reboots = 0;
  readonly #directory: string;
  readonly #options: NodeFixtureOptions;
  #daemon: Component | undefined;
  #rebooted = Promise.withResolvers<void>();
  #cycle: Promise<void> = Promise.resolve();

  private constructor(directory: string, host: SimulatedHost, options: NodeFixtureOptions) {
    this.#directory = directory;
    this.host = host;
    this.#options = options;
  }

  static async create(options: NodeFixtureOptions = {}): Promise<NodeFixture> {
    const directory = await mkdtemp(join(tmpdir(), 'slipway-daemon-'));
    const created: { fixture?: NodeFixture } = {};
    const host = await createSimulatedHost({
      directory,
      name: nodeName,
      onReboot: () => created.fixture?.onReboot(),
    });
    await host.powerOn();
    const fixture = new NodeFixture(directory, host, options);
    created.fixture = fixture;
    await fixture.client.create(nodes, { metadata: { name: nodeName } });
    await fixture.setPolicy(options.policy ?? {});
    return fixture;
  }

  onReboot(): void {
    this.reboots += 1;
    this.#rebooted.resolve();
    if (this.#options.reboots === false) return;
    this.#cycle = this.#cycle.then(async () => {
      await this.stop();
      await this.host.powerOff();
      await this.host.powerOn();
      await this.start();
    });
  }

  async start(wrap = this.#options.wrap): Promise<void> {
    const { clock = systemClock, logger = silentLogger } = this.#options;
    this.#daemon = createDaemon({
      nodeName,
      client: this.client,
      host: wrap === undefined ? this.host : wrap(this.host),
      clock,
      logger,
      announce: (event) => this.events.push(event),
    });
    await this.#daemon.start();
  }

  async stop(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = undefined;
    await daemon?.stop();
  }

  /** Another process takes over; with `wrap` between it and the host. */
  async restartDaemon(wrap?: (host: Host) => Host): Promise<void> {
    await this.stop();
    await this.start(wrap);
  }

  async untilReboots(count: number): Promise<void> {
    while (this.reboots < count) {
      this.#rebooted = Promise.withResolvers<void>();
      await this.#rebooted.promise;
    }
  }

  async setPolicy(
    policy: NodeDisruptionPolicy,
    defaults?: DefaultDisruptionActions,
  ): Promise<void> {
    const object: MachineConfiguration = {
      metadata: { name: 'cluster', generation: 1 },
      spec: {
        nodeDisruptionPolicy: policy,
        ...(defaults === undefined ? {} : { defaultNodeDisruptionPolicySpecAction: defaults }),
      },
      status: { observedGeneration: 1, nodeDisruptionPolicyStatus: { clusterPolicies: policy } },
    };
    const exists = this.client.peek(machineConfigurations, 'cluster') !== undefined;
    await (exists
      ? this.client.update(machineConfigurations, object)
      : this.client.create(machineConfigurations, object));
  }

  /** Creates a rendered configuration and makes it the target. */
  async roll(name: string, spec: MachineConfig['spec']): Promise<void> {
    if (this.client.peek(machineConfigs, name) === undefined) {
      await this.client.create(machineConfigs, { metadata: { name }, spec } as MachineConfig);
    }
    await this.annotate(encodeDesired(name));
  }

  async annotate(annotations: Readonly<Record<string, string | null>>): Promise<void> {
    const body = { metadata: { annotations } };
    await this.client.patch(nodes, nodeName, { type: 'merge', body });
  }

  /** Answers drain requests as the drain controller would. Returns what it was asked, in order. */
  answerDrains(): readonly DrainRequest[] {
    const asked: DrainRequest[] = [];
    void this.client.until(() => {
      const { drainRequest, drainApplied } = this.contract;
      const answered =
        drainApplied?.verb === drainRequest?.verb && drainApplied?.config === drainRequest?.config;
      if (drainRequest !== undefined && !answered) {
        asked.push(drainRequest);
        void this.annotate(encodeDrainApplied(drainRequest));
      }
      return false;
    });
    return asked;
  }

  get contract(): NodeContract {
    return decodeNode(this.client.peek(nodes, nodeName) ?? {});
  }

  get status(): NonNullable<MachineConfigNode['status']> {
    return this.client.peek(machineConfigNodes, nodeName)?.status ?? {};
  }

  get drift(): readonly DriftFinding[] {
    return this.status.drift ?? [];
  }

  async untilDone(config: string): Promise<void> {
    await this.client.until(() => {
      const { state } = this.contract;
      return state.kind === 'done' && state.current === config;
    });
  }

  /** Resolves with the reason once the node is degraded. */
  async untilDegraded(pattern = /./): Promise<string> {
    let reason = '';
    await this.client.until(() => {
      const { state } = this.contract;
      reason = state.kind === 'degraded' ? state.reason : '';
      return pattern.test(reason);
    });
    return reason;
  }

  async text(path: string): Promise<string> {
    return new TextDecoder().decode(await this.host.files.read(path));
  }

  async write(path: string, text: string, mode = 0o644): Promise<void> {
    const directory = path.slice(0, path.lastIndexOf('/'));
    await this.host.files.makeDirectory(directory, { mode: 0o755, uid: 0, gid: 0 });
    await this.host.files.write(path, new TextEncoder().encode(text), { mode, uid: 0, gid: 0 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cycle;
    await this.stop();
    this.client.close();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
