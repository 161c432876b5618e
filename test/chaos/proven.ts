/** Rows of the list of faults that `npm test` proves with processes, files or a clock of its own: where. */
export const provenByTests: Readonly<Record<string, string | readonly string[]>> = {};
