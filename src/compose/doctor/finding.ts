/** ok · note: worth knowing, nothing is wrong · problem: a person must act. */
type FindingState = 'ok' | 'note' | 'problem';

/** The result of one check. */
export interface Finding {
  /** The subject of the check, such as `disk space`. */
  check: string;
  state: FindingState;
  says: string;
  /** The remedy; null if none is needed. */
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
