import { z } from 'zod';
import type { Visit } from '../visit.ts';

const column = z.object({
  name: z.string(),
  unit: z.string(),
  is: z.string(),
  detail: z.boolean().optional(),
  adds: z.boolean().optional(),
});
const filters = z.object({
  dates: z.string().optional(),
  by: z.array(z.string()).optional(),
  asOf: z.boolean().optional(),
  ahead: z.number().nullable().optional(),
  property: z.string().optional(),
  owner: z.boolean().optional(),
  mostNights: z.number().optional(),
});
const report = z.object({
  name: z.string(),
  title: z.string(),
  notes: z.array(z.string()),
  subject: z.string(),
  filters,
  columns: z.array(column),
  /** Columns about guests, for those who may see them and ask for them. */
  persons: z.array(column),
});
const answer = z.object({
  from: z.string().optional(),
  to: z.string().optional(),
  as_of: z.string().optional(),
  by: z.string().optional(),
  books: z.object({ through: z.string(), behind: z.number() }).optional(),
  replica: z.object({ behind_seconds: z.number() }).optional(),
  more: z.boolean(),
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
});

/** One report of the catalogue. */
export type ReportInfo = z.output<typeof report>;
/** A column that the rows of a report may have. */
export type Column = z.output<typeof column>;
/** The rows of a report, and the question with its defaults. */
export type Answer = z.output<typeof answer>;
/** A row of a report, by the names of its columns. */
export type Row = Answer['rows'][number];

/** What a report is asked, by the names of its options. */
export interface Asked {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly as_of?: string | undefined;
  readonly by?: string | undefined;
  readonly property?: string | undefined;
  readonly owner?: string | undefined;
  readonly nights?: number | undefined;
  readonly persons?: boolean | undefined;
}

/** Reads the catalogue. */
export async function readCatalogue(visit: Visit): Promise<readonly ReportInfo[]> {
  const { reports } = z.object({ reports: z.array(report) }).parse(await visit.portal('GET /mirror/reports'));
  return reports;
}

/** Reads a report. @throws ApiError in the words of the report, for a question that it cannot answer */
export async function readReport(visit: Visit, name: string, asked: Asked, limit: number): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return answer.parse(await visit.portal('GET /mirror/reports/:name', { ...given, name, limit }));
}

/** Returns the columns of the rows in their order; without any rows, none. */
export function columnsOf({ columns, persons }: ReportInfo, rows: readonly Row[]): Column[] {
  const [first] = rows;
  if (!first) return [];
  return Object.keys(first).flatMap((name) => [...columns, ...persons].filter((one) => one.name === name).slice(0, 1));
}

const NAMES: ReadonlySet<string> = new Set(['text', 'date', 'flag']);
const KEYS: ReadonlySet<string> = new Set(['property_id', 'staff_id']);

/** Returns true for a column of numbers that can be drawn and compared. */
export function isMeasure({ name, unit }: Column): boolean {
  return !NAMES.has(unit) && !KEYS.has(name);
}
