/** Asks the rows of one moment of the mirror: SQL with `$1`, `$2` … and their values. */
export type Ask = <Row>(text: string, values: readonly string[]) => Promise<Row[]>;
