/** The account beside a posting. */
export function joinAccount(posting: string, alias = 'a'): string {
  return `join book_accounts ${alias} on ${alias}.connection = ${posting}.connection and ${alias}.account = ${posting}.account`;
}

/** What to call a property of a posting: money of the business as a whole has none. */
export function placeName(alias: string, id: string): string {
  return `case when ${id} is null then '(none)' else coalesce(${alias}.name, case when ${id} = 0 then '(reservation box)' else '(unknown)' end) end`;
}

/** Months from the first one of anything to the last that is booked: rows `s` give connection and first month. */
export function monthsFrom(first: string): string {
  return `${first} join books b on b.connection = s.connection
    join dates d on d.date >= s.month || '-01' and d.date <= b.through and substr(d.date, 9, 2) = '01'`;
}
