import { bookReports } from './books.ts';
import { dailyReports } from './daily.ts';
import { demandReports } from './demand.ts';
import { guestReports } from './guests.ts';
import { heldReports } from './held.ts';
import { moneyReports } from './money.ts';
import { ownerReports } from './owners.ts';
import { payoutReports } from './payouts.ts';
import { PLACE, type Report, type ReportColumn } from './report.ts';
import { syncReports } from './sync.ts';

/** The reports by their subject. */
const subjects = {
  demand: demandReports,
  daily: dailyReports,
  money: moneyReports,
  held: heldReports,
  payouts: payoutReports,
  owners: ownerReports,
  books: bookReports,
  guests: guestReports,
  sync: syncReports,
} as const satisfies Readonly<Record<string, readonly Report[]>>;

/** Every report that has a view. */
export const reports: readonly Report[] = Object.values(subjects).flat();

/** Returns the subject of a report: demand, daily, money, held, payouts, owners, books, guests or sync. */
export function subjectOf(report: Report): string {
  return Object.entries(subjects).find(([, list]) => list.includes(report))?.[0] ?? '';
}

export function findReport(name: string): Report | undefined {
  return reports.find((report) => report.name === name);
}

/** Returns the view of a report and its columns in order. With `byProperty`, each row is of one property. */
export function viewOf(report: Report, byProperty: boolean): { view: string; columns: readonly ReportColumn[] } {
  const { view, columns, filters } = report;
  if (!byProperty || filters.property !== 'view') return { view, columns };
  const own = columns.findIndex(({ name }) => !['span', 'period', 'as_of', 'days', 'month'].includes(name));
  return { view: `${view}_by_property`, columns: [...columns.slice(0, own), ...PLACE, ...columns.slice(own)] };
}
