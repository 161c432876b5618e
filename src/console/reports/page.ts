import { ApiError } from '../../kernel/errors.ts';
import { consolePage } from '../page.ts';
import { readProperties } from '../properties.ts';
import type { Visit } from '../visit.ts';
import { catalogueView } from './catalogue.ts';
import { matched, yearBefore } from './compare.ts';
import { csvFile, xlsxFile } from './files.ts';
import { askedOf, type ReportsQuestion, reportsQuestion } from './question.ts';
import { columnsOf, readCatalogue, readReport, type ReportInfo } from './read.ts';
import { type Read, reportHead, reportView } from './view.ts';

/** Rows on a page; files have more. */
const MOST_ROWS = 500;
const REFUSED: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** Reports: the catalogue, and each report as table and picture, compared with a year before, and as files. */
export const reportsPage = consolePage({
  path: 'reports',
  right: 'reports',
  title: (texts) => texts.reports.title,
  question: reportsQuestion,
  downloads: { csv: csvFile, xlsx: xlsxFile },
  async render(visit, question) {
    const catalogue = await readCatalogue(visit);
    if (question.report === undefined) return catalogueView(visit, catalogue);
    const info = catalogue.find(({ name }) => name === question.report);
    if (!info) throw new ApiError(404, 'There is no such report.');
    const { services, connection } = visit;
    const properties = await readProperties(services.db, { connection });
    return {
      first: reportHead(visit, info),
      rest: async () => reportView(visit, question, { info, properties, ...(await answerTo(visit, question, info)) }),
    };
  },
});

/** Reads the report; a question that it cannot answer is said on the page, whose form keeps what was typed. */
async function answerTo(
  visit: Visit,
  question: ReportsQuestion,
  info: ReportInfo,
): Promise<Omit<Read, 'info' | 'properties'>> {
  const asked = askedOf(info, question, visit);
  try {
    const answer = await readReport(visit, info.name, asked, MOST_ROWS);
    const columns = columnsOf(info, answer.rows);
    const before = question.compare === undefined ? undefined : yearBefore(asked, answer);
    if (!before) return { asked, answer, columns };
    const { rows } = await readReport(visit, info.name, before, MOST_ROWS);
    return { asked, answer, columns, earlier: matched(columns, answer.rows, rows) };
  } catch (error) {
    if (!(error instanceof ApiError) || !REFUSED.has(error.code)) throw error;
    return { asked, problem: error.message };
  }
}
