const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

type Unit = { readonly seconds: number; readonly letter: string };

/** Spans below `below` show `unit`, and the rest in `rest` where there is any. */
type Step = { readonly below: number; readonly unit: Unit; readonly rest?: Unit };

const units = {
  second: { seconds: 1, letter: 's' },
  minute: { seconds: minute, letter: 'm' },
  hour: { seconds: hour, letter: 'h' },
  day: { seconds: day, letter: 'd' },
  year: { seconds: year, letter: 'y' },
} as const;

const steps: readonly Step[] = [
  { below: 2 * minute, unit: units.second },
  { below: 10 * minute, unit: units.minute, rest: units.second },
  { below: 3 * hour, unit: units.minute },
  { below: 8 * hour, unit: units.hour, rest: units.minute },
  { below: 2 * day, unit: units.hour },
  { below: 8 * day, unit: units.day, rest: units.hour },
  { below: 2 * year, unit: units.day },
  { below: 8 * year, unit: units.year, rest: units.day },
  { below: Number.POSITIVE_INFINITY, unit: units.year },
];

/** Time left as kubeadm's tables show it: `364d`, `4d3h`, `9y`, `<invalid>` when it is over (apimachinery's HumanDuration). */
export function residualTime(seconds: number): string {
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const step = steps.find(({ below }) => seconds < below);
  if (step === undefined) return '<invalid>';
  const { unit, rest } = step;
  const whole = `${Math.floor(seconds / unit.seconds)}${unit.letter}`;
  const left = rest === undefined ? 0 : Math.floor((seconds % unit.seconds) / rest.seconds);
  return left === 0 ? whole : `${whole}${left}${rest?.letter}`;
}
