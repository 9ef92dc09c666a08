import type { KubeObject } from '@slipway/api';

/** Something that happened to an object, for people: told once, at the transition. */
export type Happening = {
  /** With apiVersion, kind and metadata. */
  readonly regarding: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
};

/** Publishes an Event in the background; a failure to do so is not the caller's. */
export type RecordEvent = (happening: Happening) => void;
