/** Pieces of SQL that mean the same on SQLite and PostgreSQL. Amounts and counts are whole numbers throughout. */

/** The sum as a whole number; PostgreSQL would make it a decimal one, and divide it so. */
export function sum(expression: string): string {
  return `cast(coalesce(sum(${expression}), 0) as bigint)`;
}

/** How many rows meet a condition. */
export function countOf(condition: string): string {
  return sum(`case when ${condition} then 1 else 0 end`);
}

/** The sum over the rows that meet a condition. */
export function sumOf(expression: string, condition: string): string {
  return sum(`case when ${condition} then ${expression} else 0 end`);
}

/** `amount / count` to the nearest whole, halves away from zero; null for no count. */
export function per(amount: string, count: string): string {
  const half = `case when ${amount} < 0 then -(${count}) else ${count} end`;
  return `case when ${count} > 0 then (2 * (${amount}) + ${half}) / (2 * (${count})) end`;
}

/** `part / whole` in percent with two decimals; null for no whole. */
export function percent(part: string, whole: string): string {
  return `case when ${whole} > 0 then ${per(`10000 * (${part})`, whole)} / 100.0 end`;
}

/** The mean with one decimal; null for no count. */
export function mean(amount: string, count: string): string {
  return `case when ${count} > 0 then ${per(`10 * (${amount})`, count)} / 10.0 end`;
}

/** The part of an amount that falls to a night: what does not divide goes to the first nights, one unit each. */
export function ofNight(amount: string, number: string, nights: string): string {
  const unit = `case when ${amount} < 0 then -1 else 1 end`;
  return `(${amount} / ${nights} + case when ${number} <= abs(${amount} % ${nights}) then ${unit} else 0 end)`;
}

/** Each row three times: under its month, its year, and all time. `select` gets the two first columns of an arm. */
export function spans(date: string, select: (columns: string) => string): string {
  return [
    `'month' as span, substr(${date}, 1, 7) as period`,
    `'year' as span, substr(${date}, 1, 4) as period`,
    `'all' as span, 'all' as period`,
  ]
    .map(select)
    .join('\nunion all\n');
}

/** The month `years` later, of text that begins with a month. */
export function monthLater(text: string, years: number): string {
  return `(cast(cast(substr(${text}, 1, 4) as bigint) + ${years} as text) || substr(${text}, 5, 3))`;
}

/** What to call a property, by its row `alias` and the column that names it. */
export function propertyName(alias: string, id: string): string {
  return `coalesce(${alias}.name, case when ${id} = 0 then '(reservation box)' else '(unknown)' end)`;
}

/** The property's row beside `owner`. */
export function joinProperty(owner: string, alias = 'p'): string {
  return `left join properties ${alias} on ${alias}.connection = ${owner}.connection and ${alias}.id = ${owner}.property_id`;
}

/** Grouping by the first so many columns. */
export function groupedBy(columns: number): string {
  return `group by ${Array.from({ length: columns }, (_, index) => index + 1).join(', ')}`;
}
