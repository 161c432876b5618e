import { accountWindows, failedRequestWindows, type RateClass, rateClasses } from '../../contract/limits.ts';
import type { LimitWindow } from '../../kernel/limits/windows.ts';

/** The setting of a core's owner: limits as described, counted only, or a multiple of the described numbers. */
export type LimitSetting = 'on' | 'off' | { readonly multiply: number };

/** The windows that apply to requests. */
export interface LimitPolicy {
  /** false: everything is counted, and only a token's own cap refuses requests. */
  readonly enforced: boolean;
  readonly account: readonly LimitWindow[];
  readonly classes: Readonly<Record<RateClass, readonly LimitWindow[]>>;
  readonly failed: readonly LimitWindow[];
}

export function limitPolicy(setting: LimitSetting): LimitPolicy {
  const factor = typeof setting === 'object' ? setting.multiply : 1;
  const scaled = (windows: readonly LimitWindow[]) =>
    windows.map(({ seconds, max }) => ({ seconds, max: Math.max(1, Math.floor(max * factor)) }));
  const classes = Object.entries(rateClasses).map(([name, windows]) => [name, scaled(windows)]);
  return {
    enforced: setting !== 'off',
    account: scaled(accountWindows),
    classes: Object.fromEntries(classes) as LimitPolicy['classes'],
    failed: scaled(failedRequestWindows),
  };
}

/** Returns a token's own cap as windows; null: none. */
export function capWindows(cap: { per_minute: number | null; per_hour: number | null }): readonly LimitWindow[] {
  const windows = [
    { seconds: 60, max: cap.per_minute },
    { seconds: 3_600, max: cap.per_hour },
  ];
  return windows.filter((window): window is LimitWindow => window.max !== null);
}
