/** The values at which an axis has a line, from the lowest to the highest. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

const LINES = 4;
const ROUND = [1, 2, 2.5, 5, 10] as const;

/** Returns a scale that holds all values and zero, with a few lines at round numbers. */
export function scaleOf(values: readonly number[]): Scale {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const span = most - least || 1;
  const power = 10 ** Math.floor(Math.log10(span / LINES));
  const step = (ROUND.find((one) => one * power * LINES >= span) ?? 10) * power;
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { low: first * step, high: last * step, ticks };
}

/** Returns which of so many labels are shown, so that at most `most` stand side by side: every nth. */
export function labelStep(count: number, most: number): number {
  return Math.max(1, Math.ceil(count / most));
}
