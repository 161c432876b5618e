/** Queries one moment of the mirror with SQL, whose values are `$1`, `$2` and so on. */
export type Ask = <Row>(text: string, values: readonly string[]) => Promise<Row[]>;
