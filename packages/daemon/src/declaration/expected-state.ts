import type { Image } from '../state/image.ts';

/** Which part of a declaration a path belongs to. */
export type PathRole = 'file' | 'unit' | 'dropin' | 'ssh';

export type ExpectedPath = {
  readonly path: string;
  readonly role: PathRole;
  readonly image: Image;
  /** The owner in the words of the declaration: `app:app`, `0:0`. */
  readonly owner: string;
  /** `not-masked`: anything may be here but the link that masks the unit. Default: exactly `image`. */
  readonly accepts?: 'not-masked';
};

export type ExpectedUnit = {
  readonly name: string;
  /** Absent: not managed, or the unit is masked. */
  readonly enabled?: boolean;
  readonly masked: boolean;
  /** True when the unit's file, or that of its template, comes from the declaration. */
  readonly owned: boolean;
  /** Its [Install] section, when owned. */
  readonly install: readonly string[];
};

/** A name that the host could not resolve, or a user that it lacks. */
export type OwnerProblem = {
  readonly path: string;
  readonly message: string;
  readonly ssh: boolean;
};

/** A declaration as the host should show it: paths in order of writing, owners as numbers. */
export type ExpectedState = {
  readonly paths: readonly ExpectedPath[];
  readonly units: readonly ExpectedUnit[];
  /** Contents by digest. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Owners that could not be resolved; their paths carry the id -1, which no file has. */
  readonly problems: readonly OwnerProblem[];
};
