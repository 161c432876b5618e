/** Plain work of two kinds, and the milliseconds of the processor that each takes on a machine that is fast enough. */
const ADDITIONS = 10_000_000;
const ADDITIONS_MS = 15;
const ROWS = Array.from({ length: 2_000 }, (_, index) => ({
  date: `2027-01-${index}`,
  price: index * 3.5,
  available: index % 2 === 0,
  note: 'x'.repeat(index % 20),
}));
const COPIES = 10;
const COPIES_MS = 20;

/**
 * How many times as long as a machine that is fast enough this one takes now; never less than one. The slower of two
 * counts: a neighbour can leave us the processor and hold up what goes through memory, as answers do.
 */
export function slowness(): number {
  const adding = processorMs(() => {
    let sum = 0;
    for (let index = 0; index < ADDITIONS; index += 1) sum += index % 7;
    return sum;
  });
  const copying = processorMs(() => {
    let count = 0;
    for (let copies = 0; copies < COPIES; copies += 1) count += copyOf(ROWS).length;
    return count;
  });
  return Math.max(1, adding / ADDITIONS_MS, copying / COPIES_MS);
}

/** By way of text, since that is the work to be measured. */
function copyOf(rows: typeof ROWS): typeof ROWS {
  return JSON.parse(JSON.stringify(rows)) as typeof ROWS;
}

/** The work's result is looked at, so that the compiler does not leave the work out. */
function processorMs(work: () => number): number {
  const begun = process.cpuUsage();
  if (work() === 0) throw new Error('nothing was done');
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e3;
}
