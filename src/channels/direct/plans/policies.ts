import type { WrittenPlan } from './schema.ts';

/** Up to so many days before check-in, this part of what was paid is given back. */
export interface PolicyStep {
  readonly days_before: number;
  readonly refund_percent: number;
}

/** The policies that have a name. After the last step nothing is given back. */
const presets: Readonly<Record<Extract<WrittenPlan['cancellation'], string>, readonly PolicyStep[]>> = {
  flexible: [{ days_before: 1, refund_percent: 100 }],
  moderate: [
    { days_before: 14, refund_percent: 100 },
    { days_before: 3, refund_percent: 50 },
  ],
  strict: [
    { days_before: 60, refund_percent: 100 },
    { days_before: 30, refund_percent: 50 },
  ],
};

/** Returns the steps of a policy, the earliest first. */
export function stepsOf(cancellation: WrittenPlan['cancellation']): readonly PolicyStep[] {
  const steps = typeof cancellation === 'string' ? presets[cancellation] : cancellation.steps;
  return steps.toSorted((a, b) => b.days_before - a.days_before);
}
