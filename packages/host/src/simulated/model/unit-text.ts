/** One assignment of a unit file; `value` is empty for an assignment that resets a list. */
export type Assignment = { readonly section: string; readonly key: string; readonly value: string };

/**
 * Reads unit file text as `systemd.syntax(7)` says: a backslash at the end continues a line, comment
 * lines inside a continued line are passed over. Junk lines are ignored, as systemd does with a warning.
 */
export function parseUnitText(text: string): readonly Assignment[] {
  const assignments: Assignment[] = [];
  let section = '';
  for (const line of logicalLines(text)) {
    const header = /^\[(?<name>[^\]]+)\]$/.exec(line)?.groups?.['name'];
    if (header !== undefined) {
      section = header;
      continue;
    }
    const at = line.indexOf('=');
    if (at < 1 || section === '') continue;
    assignments.push({ section, key: line.slice(0, at).trim(), value: line.slice(at + 1).trim() });
  }
  return assignments;
}

function logicalLines(text: string): readonly string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (/^[#;]/.test(line) || (line === '' && open === undefined)) continue;
    const whole = open === undefined ? line : `${open} ${line}`;
    open = undefined;
    if (whole.endsWith('\\')) open = whole.slice(0, -1).trimEnd();
    else lines.push(whole);
  }
  return open === undefined ? lines : [...lines, open];
}

/** Settings by `Section.Key`, in order; an empty assignment forgets what came before it. */
export type Settings = Readonly<Record<string, readonly string[]>>;

/** The settings of a unit file followed by its drop-ins. */
export function mergeSettings(texts: readonly string[]): Settings {
  const settings: Record<string, readonly string[]> = {};
  for (const { section, key, value } of texts.flatMap(parseUnitText)) {
    const name = `${section}.${key}`;
    settings[name] = value === '' ? [] : [...(settings[name] ?? []), value];
  }
  return settings;
}

/** The words of a setting that lists units or paths. */
export function wordsOf(settings: Settings, name: string): readonly string[] {
  return (settings[name] ?? []).flatMap((value) =>
    value.split(/\s+/).filter((word) => word !== ''),
  );
}

/** The last value of a setting that has one. */
export function lastValue(settings: Settings, name: string): string | undefined {
  return settings[name]?.at(-1);
}

/** `yes`, `true`, `on` and `1`, as systemd reads booleans. */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(?:1|y|yes|t|true|on)$/i.test(value);
}
