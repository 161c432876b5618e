/** One difference between the mirror and upstream. It contains keys and field names only, never values. */
export interface Finding {
  kind: 'missing' | 'extra' | 'different';
  /** The key of events. */
  key: string;
  /** The value of the row's own key; for nights, the range of dates that was compared. */
  row: string;
  /** The differences: fields of the wire, columns, side tables; of days the first few dates. */
  paths: readonly string[];
  /** The number of days that it covers, where days are compared; left out: it is one row. */
  days?: number;
}

export interface ResourceReport {
  resource: string;
  clean: boolean;
  upstream_total: number;
  compared: number;
  missing: number;
  extra: number;
  different: number;
  examples: readonly Finding[];
  problem: string | null;
}

const EXAMPLES = 20;

/** Sums up the findings of one resource; the report shows the first of them as examples. */
export function reportOf(
  resource: string,
  findings: readonly Finding[],
  totals: { upstream: number; compared: number },
  problem: string | null,
): ResourceReport {
  // Counted in the unit of `compared`: rows, or days.
  const count = (kind: Finding['kind']) =>
    findings.filter((finding) => finding.kind === kind).reduce((sum, { days = 1 }) => sum + days, 0);
  return {
    resource,
    clean: findings.length === 0 && problem === null,
    upstream_total: totals.upstream,
    compared: totals.compared,
    missing: count('missing'),
    extra: count('extra'),
    different: count('different'),
    examples: findings.slice(0, EXAMPLES),
    problem,
  };
}
