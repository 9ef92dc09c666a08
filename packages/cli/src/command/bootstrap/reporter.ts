import type { Reporter } from '@slipway/bootstrap';
import type { Output } from '../../output.ts';

/** Progress of a bootstrap command goes to the console as kubeadm's does: answers and phases to standard output. */
export function createReporter(output: Output): Reporter {
  return {
    phase: (phase, text) => output.phase(phase, text),
    problem: (text) => output.problem(text),
    line: (text) => output.line(text),
  };
}
