import {
  type MachineConfig,
  machineConfigs,
  machineConfigurationName,
  machineConfigurations,
} from '@slipway/api';
import type { Clock } from '@slipway/base';
import { isNotFound, type KubeClient } from '@slipway/kube';
import { type DisruptionPolicy, isPolicyObserved, policyInForce } from '@slipway/machineconfig';
import { daemonError } from './failure.ts';
import type { StoredConfig } from './state/stored-config.ts';

/** How long the daemon waits for the operator to process the MachineConfiguration, ms. */
const policyWaitMs = 120_000;

/** The disruption policy, or how long to wait before asking again, ms. */
export type PolicyAnswer =
  | { readonly kind: 'ready'; readonly policy: DisruptionPolicy }
  | { readonly kind: 'wait'; readonly afterMs: number };

/** Reads what the daemon needs from the API: rendered configurations by name, and the policy. */
export class ConfigSource {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  /** The last one read: a rendered configuration never changes under its name. */
  #last: StoredConfig | undefined;
  #waitingSinceMs: number | undefined;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Throws `daemon.configuration-not-found` when there is none of that name. */
  async config(name: string): Promise<StoredConfig> {
    if (this.#last?.name === name) return this.#last;
    try {
      const object: MachineConfig = await this.#client.get(machineConfigs, name);
      this.#last = { name, spec: object.spec };
      return this.#last;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const message = `read machineconfig ${name}: not found`;
      throw daemonError('daemon.configuration-not-found', message, error);
    }
  }

  /**
   * The policy in force, once the operator has processed the present spec. Throws
   * `daemon.policy-not-observed` when that takes more than two minutes.
   */
  async policy(): Promise<PolicyAnswer> {
    const configuration = await this.#configuration();
    if (configuration !== undefined && isPolicyObserved(configuration)) {
      this.#waitingSinceMs = undefined;
      return { kind: 'ready', policy: policyInForce(configuration) };
    }
    const now = this.#clock.monotonic();
    this.#waitingSinceMs ??= now;
    const waitedMs = now - this.#waitingSinceMs;
    if (waitedMs < policyWaitMs) {
      return { kind: 'wait', afterMs: Math.min(5_000, 250 + waitedMs / 2) };
    }
    this.#waitingSinceMs = undefined;
    const cause =
      configuration === undefined ? 'it does not exist' : 'the operator has not processed it';
    const object = `machineconfiguration ${machineConfigurationName}`;
    throw daemonError('daemon.policy-not-observed', `read ${object}: ${cause} for 2 minutes`);
  }

  async #configuration() {
    try {
      return await this.#client.get(machineConfigurations, machineConfigurationName);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
