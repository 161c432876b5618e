/** A JSON object with unchecked fields. */
export type Fields = Record<string, unknown>;
