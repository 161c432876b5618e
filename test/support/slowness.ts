/** Additions, and the milliseconds of the processor that they take on a machine that is fast enough. */
const ADDITIONS = 10_000_000;
const ADDITIONS_MS = 15;

/** How many times as long as a machine that is fast enough this one takes now; never less than one. */
export function slowness(): number {
  const begun = process.cpuUsage();
  let sum = 0;
  for (let index = 0; index < ADDITIONS; index += 1) sum += index % 7;
  const { user } = process.cpuUsage(begun);
  return sum > 0 ? Math.max(1, user / 1e3 / ADDITIONS_MS) : 1;
}
