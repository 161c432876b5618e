import { percentile } from './oracle.ts';
import type { YearOutcome } from './world.ts';

/** The figures of a year, line by line. */
export function yearText({ problems, ends, answers, ...figures }: YearOutcome): string[] {
  const { happenings, refused, messages, guestMessages, posts, approved } = figures;
  const seconds = (all: readonly number[], share: number) => `${(percentile(all, share) / 1_000).toFixed(1)} s`;
  const line = (name: string, all: readonly number[]) =>
    `  ${name}: ${all.length} answers, p50 ${seconds(all, 50)}, p99 ${seconds(all, 99)} after the message`;
  return [
    `${happenings} happenings (${refused} refused), ${guestMessages} messages of guests, ${messages} said by rules, ${posts} posts, ${approved} approved; ${problems.length} problems`,
    line('in hours', answers.byDay),
    line('in quiet hours', answers.byNight),
    ...[...ends].map(([name, count]) => `  ${name} ${count}`),
    ...problems.slice(0, 50).map((one) => `  PROBLEM ${one}`),
  ];
}
