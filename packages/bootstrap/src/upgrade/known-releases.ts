/**
 * The newest release of every minor that this version knows, oldest first. No release is looked up in
 * the network; a newer patch of these minors may be given by name.
 */
export const knownReleases: readonly string[] = ['v1.34.4', 'v1.35.4', 'v1.36.3', 'v1.37.2'];
