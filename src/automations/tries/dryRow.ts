import type { Instant } from '../../kernel/dates.ts';

/** What a rule would have done about one stay, message or task, had it been live. */
export interface DryRow {
  rule: string;
  about: string;
  at: Instant | null;
  would: 'act' | 'not act';
  because: string;
  text: string | null;
}
