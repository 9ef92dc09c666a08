/** How a strategic merge patch treats a value. */
export type PatchSchema = {
  /** `merge`, `replace`, `retainKeys`; a list without `merge` is replaced. */
  readonly strategy: readonly string[];
  /** What tells the objects of a list apart; empty: nothing does. */
  readonly mergeKey: string;
  /** Of a member of an object or map. */
  member(key: string): PatchSchema;
  /** Of the elements of a list. */
  element(): PatchSchema;
};

/** Of free JSON: objects merge, lists are replaced. */
export const unknownPatchSchema: PatchSchema = {
  strategy: [],
  mergeKey: '',
  member: () => unknownPatchSchema,
  element: () => unknownPatchSchema,
};
