import type { HouseOutcome } from './world.ts';

/** The figures of a house, line by line. */
export function houseText({ problems, counts, ends, conflicts, mailsSent, guestMessages }: HouseOutcome): string[] {
  const sorted = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
  return [
    `${conflicts} nights sold twice outside, ${mailsSent} mails sent, ${guestMessages} messages of guests; ${problems.length} problems`,
    ...sorted.map(([name, count]) => `  ${name}: ${count}`),
    ...ends.map((one) => `  rule ${one}`),
    ...problems.slice(0, 50).map((one) => `  PROBLEM ${one}`),
  ];
}
