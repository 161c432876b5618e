/** A JSON object whose fields nobody has checked yet. */
export type Fields = Record<string, unknown>;
