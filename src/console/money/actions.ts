import { z } from 'zod';
import { type ConsoleAction, consoleAction } from '../page.ts';
import { DICTIONARIES } from './dictionaries.ts';
import { nameMonths } from './nameMonths.ts';

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2027-03');
const reason = z.string().trim().min(1).max(500);
const closed = z.object({ closed: z.array(z.object({ period: z.string() })), remarks: z.array(z.string()) });
const ran = z.object({ run_id: z.string(), nothing: z.boolean(), report: z.object({ entries: z.number() }) });

/** Closes a month and every earlier one: for good, or so that changes are asked about. */
const close = consoleAction({
  name: 'close',
  right: 'money.close',
  isQuiet: true,
  fields: z.object({ period: month, soft: z.literal('1').optional(), reason: reason.optional() }),
  async run(visit, { period, soft, reason: why }) {
    const order = { period, soft: soft !== undefined, ...(why !== undefined && { reason: why }) };
    const report = closed.parse(await visit.portal('POST /portal/exports/close', order));
    const { done } = visit.texts.money;
    const months = nameMonths(
      report.closed.map((one) => one.period),
      done.months,
    );
    return { said: soft === undefined ? done.locked(months) : done.softClosed(months) };
  },
});

/** Opens the newest closed month again. */
const reopen = consoleAction({
  name: 'reopen',
  right: 'money.close',
  isQuiet: true,
  fields: z.object({ period: month, reason }),
  async run(visit, fields) {
    await visit.portal('POST /portal/exports/reopen', fields);
    return { said: visit.texts.money.done.reopened(fields.period) };
  },
});

/** Writes the files of a month in one format. */
const run = consoleAction({
  name: 'run',
  right: 'money.close',
  isQuiet: true,
  fields: z.object({ job: z.string().min(1).max(40), period: month, override: reason.optional() }),
  async run(visit, { job, period, override }) {
    const order = { job, from: period, to: period, ...(override !== undefined && { override }) };
    const { run_id, nothing, report } = ran.parse(await visit.portal('POST /portal/exports/run', order));
    const { done } = visit.texts.money;
    if (nothing) return { said: done.nothingNew(job) };
    return { said: done.ran(job, report.entries), to: visit.address('money', { month: period, run: run_id }) };
  },
});

/** Books everything that has changed, so that the figures below are those of now. */
const book = consoleAction({
  name: 'book',
  right: 'money.close',
  isQuiet: true,
  fields: z.object({}),
  async run(visit) {
    await visit.portal('POST /portal/exports/book');
    return { said: visit.texts.money.done.booked };
  },
});

const name = z.string().trim().min(1).max(100);
const lists = z.enum([...DICTIONARIES, 'custom_channels']);

/** Adds an entry to a dictionary of the ledger, or a source of direct reservations. */
const add = consoleAction({
  name: 'add',
  right: 'money.close',
  fields: z.object({ list: lists, name }),
  async run(visit, { list, name: called }) {
    if (list === 'custom_channels') await visit.portal('POST /portal/custom_channels', { name: called });
    else await visit.portal('POST /portal/dictionaries/:dictionary', { dictionary: list, name: called });
    return { said: visit.texts.money.done.added(called) };
  },
});

/** Gives an entry another name. */
const rename = consoleAction({
  name: 'rename',
  right: 'money.close',
  fields: z.object({ list: lists, id: z.coerce.number().int().positive(), name }),
  async run(visit, { list, id, name: called }) {
    if (list === 'custom_channels') await visit.portal('PATCH /portal/custom_channels/:id', { id, name: called });
    else await visit.portal('PATCH /portal/dictionaries/:dictionary/:id', { dictionary: list, id, name: called });
    return { said: visit.texts.money.done.renamed(called) };
  },
});

const several = z.union([z.string(), z.array(z.string())]).transform((given) => [given].flat());

/** Gives items, methods and deposits their places in the books. */
const place = consoleAction({
  name: 'place',
  right: 'money.close',
  isQuiet: true,
  fields: z.object({ thing: several, place: several }),
  async run(visit, { thing: things, place: places }) {
    const order = {
      items: { income: {}, expense: {} } as ByDirection,
      methods: { income: {}, expense: {} } as ByDirection,
      deposits: {} as Record<string, string>,
    };
    let count = 0;
    for (const [index, thing] of things.entries()) {
      const value = places[index]?.trim() ?? '';
      if (value === '') continue;
      count += 1;
      const [, part, key = ''] = /^(items|methods|deposits)\/(.+)$/s.exec(thing) ?? [];
      const [, direction, id = ''] = /^(income|expense)\/(\d+)$/.exec(key) ?? [];
      if (part === 'deposits') order.deposits[key] = value;
      else if (part !== undefined && direction !== undefined) {
        order[part as 'items' | 'methods'][direction as keyof ByDirection][id] = value;
      }
    }
    await visit.portal('POST /portal/exports/map', order);
    return { said: visit.texts.money.done.placed(count) };
  },
});

type ByDirection = Record<'income' | 'expense', Record<string, string>>;

/** What a person may do on the Money page. */
export const moneyActions: readonly ConsoleAction[] = [close, reopen, run, book, place, add, rename];
