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

/** Every report that has a view. */
export const reports: readonly Report[] = [
  ...demandReports,
  ...dailyReports,
  ...moneyReports,
  ...heldReports,
  ...payoutReports,
  ...ownerReports,
  ...bookReports,
  ...guestReports,
  ...syncReports,
];

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
