/** What a host needs to know to join; crosses the border to a worker or into a file, so it is plain JSON. */
export type JoinSettings = {
  readonly nodeName: string;
  /** `https://host:port`. */
  readonly endpoint: string;
  /** Pins of the cluster's authority. */
  readonly pins: readonly string[];
  /** `id.secret`; the channel it goes through must be private. */
  readonly token: string;
  /** Address that the Node shows. */
  readonly address: string;
};
