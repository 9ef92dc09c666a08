/** Prefix of a line that a container runtime wrote: time, stream, whether the line is whole. */
const runtimePrefix = /^\S+ (?:stdout|stderr) [FP] /;

/** How much of a log is shown: the end of it says why a program stopped. */
const shownLines = 10;

/** The last lines of a container's log, as the program wrote them. */
export function lastLogLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(runtimePrefix, '').trimEnd());
  return lines.filter((line) => line !== '').slice(-shownLines);
}

/**
 * The last lines of the kubelet's journal that matter: those that name the component, else errors, else
 * simply the last ones.
 */
export function tellingJournalLines(text: string, component?: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const named = component === undefined ? [] : lines.filter((line) => line.includes(component));
  const errors = lines.filter((line) => /^[EF]\d{4} |\berr(?:or)?[=:"]/i.test(line));
  const namedErrors = named.filter((line) => errors.includes(line));
  const best = [namedErrors, errors, named, lines].find((found) => found.length > 0) ?? [];
  return best.slice(-5).map((line) => line.slice(0, 500));
}
