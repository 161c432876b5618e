import type { Instant } from '../../kernel/dates.ts';

/** The action that a live rule would have taken for one stay, message or task. */
export interface DryRow {
  rule: string;
  about: string;
  at: Instant | null;
  would: 'act' | 'not act';
  because: string;
  text: string | null;
}
