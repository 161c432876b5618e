/** ok · note: worth knowing, nothing is wrong · problem: somebody must do something. */
export type FindingState = 'ok' | 'note' | 'problem';

/** What one look has shown. */
export interface Finding {
  /** What was looked at, such as `disk space`. */
  check: string;
  state: FindingState;
  says: string;
  /** What helps; null where nothing has to. */
  remedy: string | null;
}

export function ok(check: string, says: string): Finding {
  return { check, state: 'ok', says, remedy: null };
}

export function note(check: string, says: string, remedy: string | null = null): Finding {
  return { check, state: 'note', says, remedy };
}

export function problem(check: string, says: string, remedy: string): Finding {
  return { check, state: 'problem', says, remedy };
}
