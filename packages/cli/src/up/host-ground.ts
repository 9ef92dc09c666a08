import type { HostPower } from './host-power.ts';
import type { HostPlace } from './settings.ts';

/** What hosts need to join. */
export type JoinFacts = {
  /** `https://host:port` as hosts reach it. */
  readonly endpoint: string;
  /** Pin of the cluster's authority. */
  readonly pin: string;
  /** `id.secret`. */
  readonly token: string;
};

/** Where hosts of one kind live on this computer. */
export interface HostGround {
  /** Address of this computer for the hosts. */
  readonly gatewayAddress: string;
  /** The power switch of host number `index` (from 1); the host is off. */
  createPower(place: HostPlace, index: number, facts: JoinFacts): HostPower;
  /** Gives back what the ground itself occupies; hosts must be off. Their files stay. */
  close(): Promise<void>;
}
