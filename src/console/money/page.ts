import { z } from 'zod';
import { isPlainDate } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { consolePage } from '../page.ts';
import { readProperties } from '../properties.ts';
import { dictionaryOf } from '../stay/query.ts';
import { readWaiting } from '../today/waiting.ts';
import { moneyActions } from './actions.ts';
import { readBooks, readFile, readFiles } from './books.ts';
import { customChannels, readBalances } from './query.ts';
import { DICTIONARIES } from './dictionaries.ts';
import { moneyView } from './view.ts';

const date = z.string().refine(isPlainDate, 'must be a date such as 2027-03-01');
const statement = z.object({ html: z.string(), policy: z.string() });

/** Money: what is still to be paid, deposits to give back, payouts, and the month-end. */
export const moneyPage = consolePage({
  path: 'money',
  right: 'money',
  title: (texts) => texts.money.title,
  question: z.object({
    month: z
      .string()
      .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
      .optional(),
    owner: z.string().min(1).max(40).optional(),
    run: z.string().min(1).max(60).optional(),
    name: z.string().min(1).max(255).optional(),
    property: z.coerce.number().int().min(0).optional(),
    since: date.optional(),
    after: date.optional(),
    after_code: z.string().min(1).max(100).optional(),
  }),
  actions: moneyActions,
  async render(visit, { month, run, property, since, after: arrival, after_code: code }) {
    const { services, connection, today, person } = visit;
    const { db } = services;
    const after = arrival === undefined || code === undefined ? undefined : { arrival, code };
    const seen = { connection, today, properties: person.properties ?? undefined };
    const dictionaries = [];
    for (const dictionary of DICTIONARIES) {
      dictionaries.push({ dictionary, entries: await dictionaryOf(db, { connection, dictionary }) });
    }
    return moneyView(visit, {
      balances: await readBalances(db, { connection, property, since, after }),
      asked: { property, since, isPage: after !== undefined },
      properties: await readProperties(db, { connection }),
      deposits: await readWaiting(db, seen, 'deposits'),
      books: await readBooks(visit, month),
      month,
      run: run === undefined ? undefined : { run, files: await readFiles(visit, run) },
      dictionaries,
      channels: await customChannels(db, { connection }),
    });
  },
  downloads: {
    async statement(visit, { owner, month }) {
      if (owner === undefined || month === undefined) throw new ApiError(404, 'There is no such statement.');
      const { html, policy } = statement.parse(
        await visit.portal('GET /mirror/statements/:owner/:month', { owner, month }),
      );
      return { type: 'text/html; charset=utf-8', name: `${owner}-${month}.html`, body: html, policy };
    },
    async file(visit, { run, name }) {
      if (run === undefined || name === undefined) throw new ApiError(404, 'There is no such file.');
      return { type: 'application/octet-stream', name, body: await readFile(visit, run, name) };
    },
  },
});
