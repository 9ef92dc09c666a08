/** Labels of one series. */
type Labels = Readonly<Record<string, string>>;

function seriesKey(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, '\\$&')}"`)
    .join(',');
}

/** A counter or gauge that is read when it is shown. */
export type Reading = { readonly name: string; readonly text: string; readonly read: () => number };

const requestsName = 'apiserver_request_total';
const durationName = 'apiserver_request_duration_seconds';

/** Counts requests under upstream's metric names and shows them as Prometheus text. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #seconds = new Map<string, { count: number; sum: number }>();
  readonly #readings: readonly Reading[];

  constructor(readings: readonly Reading[]) {
    this.#readings = readings;
  }

  /** Counts one answered request. */
  observe(labels: Labels, code: number, seconds: number): void {
    const total = seriesKey({ ...labels, code: String(code) });
    this.#requests.set(total, (this.#requests.get(total) ?? 0) + 1);
    const key = seriesKey(labels);
    const span = this.#seconds.get(key) ?? { count: 0, sum: 0 };
    this.#seconds.set(key, { count: span.count + 1, sum: span.sum + seconds });
  }

  /** The exposition. */
  text(): string {
    const lines = [`# HELP ${requestsName} Requests answered.`, `# TYPE ${requestsName} counter`];
    for (const [key, value] of this.#requests) lines.push(`${requestsName}{${key}} ${value}`);
    lines.push(`# HELP ${durationName} Time to answer.`, `# TYPE ${durationName} summary`);
    for (const [key, { count, sum }] of this.#seconds) {
      lines.push(`${durationName}_sum{${key}} ${sum}`, `${durationName}_count{${key}} ${count}`);
    }
    for (const { name, text, read } of this.#readings) {
      lines.push(`# HELP ${name} ${text}`, `# TYPE ${name} gauge`, `${name} ${read()}`);
    }
    return `${lines.join('\n')}\n`;
  }
}
