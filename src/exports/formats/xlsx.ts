import type { AccountBalance, Journal, JournalEntry } from '../journal/entry.ts';
import { type Format, oneFile } from './format.ts';
import { accountsByName, propertyTitles } from './writing/lookups.ts';
import { noOptions, readOptions } from './options.ts';
import { amountCell, type Cell, countCell, dateCell, textCell } from '../../kernel/workbook/cells.ts';
import { type Sheet, workbook } from '../../kernel/workbook/workbook.ts';

const LONGEST_PROPERTY = 200;

/** The workbook for accountants. Dates and amounts are real ones, ids are texts, and no cell is a formula. */
export const xlsx: Format = {
  name: 'xlsx',
  title: 'Excel workbook: journal, lines, trial balance, control totals, exceptions',
  extension: 'xlsx',
  write: oneFile((journal, options) => {
    readOptions('xlsx', noOptions, options);
    return workbook([
      journalSheet(journal),
      linesSheet(journal),
      trialBalance(journal),
      control(journal),
      exceptions(journal),
    ]);
  }),
};

function journalSheet(journal: Journal): Sheet {
  return {
    name: 'Journal',
    columns: [
      ['Entry', 20],
      ['Reference', 24],
      ['Date', 12],
      ['Original date', 12],
      ['Kind', 12],
      ['Source', 20],
      ['Revision', 9],
      ['Corrects', 20],
      ['Payee', 24],
      ['Description', 48],
      ['Reservation', 18],
      ['Stay', 18],
      ['Channel', 18],
      ['Lines', 7],
    ],
    rows: eachEntry(journal, function* (entry) {
      yield [
        textCell(entry.id),
        textCell(entry.reference),
        dateCell(entry.date),
        dateCell(entry.originalDate),
        textCell(entry.kind),
        textCell(`${entry.source.kind}/${entry.source.id}`),
        countCell(entry.revision),
        textCell(entry.corrects),
        textCell(entry.payee),
        textCell(entry.description),
        textCell(entry.reservation),
        textCell(entry.stay),
        textCell(entry.channel),
        countCell(entry.postings.length),
      ];
    }),
  };
}

function linesSheet(journal: Journal): Sheet {
  const accounts = accountsByName(journal);
  const properties = propertyTitles(journal, LONGEST_PROPERTY);
  return {
    name: 'Lines',
    columns: [
      ['Entry', 20],
      ['Line', 6],
      ['Date', 12],
      ['Account', 38],
      ['Title', 30],
      ['Code', 10],
      ['Debit', 14],
      ['Credit', 14],
      ['Currency', 9],
      ['Property', 28],
      ['Reservation', 18],
      ['Description', 48],
      ['Memo', 30],
    ],
    rows: eachEntry(journal, function* (entry) {
      for (const [index, { account, amount, currency, propertyId, memo = null }] of entry.postings.entries()) {
        yield [
          textCell(entry.id),
          countCell(index + 1),
          dateCell(entry.date),
          textCell(account),
          textCell(accounts.get(account)?.title ?? null),
          textCell(accounts.get(account)?.code ?? null),
          amount > 0 ? amountCell(amount, currency) : null,
          amount < 0 ? amountCell(-amount, currency) : null,
          textCell(currency),
          textCell(propertyId === null ? null : (properties.get(propertyId) ?? null)),
          textCell(entry.reservation),
          textCell(entry.description),
          textCell(memo),
        ];
      }
    }),
  };
}

function trialBalance(journal: Journal): Sheet {
  const accounts = accountsByName(journal);
  return {
    name: 'Trial balance',
    columns: [
      ['Account', 38],
      ['Title', 30],
      ['Type', 10],
      ['Code', 10],
      ['Currency', 9],
      ['Opening', 16],
      ['Debit', 16],
      ['Credit', 16],
      ['Closing', 16],
    ],
    rows: journal.balances.map(({ account, currency, opening, debit, credit, closing }) => [
      textCell(account),
      textCell(accounts.get(account)?.title ?? null),
      textCell(accounts.get(account)?.type ?? null),
      textCell(accounts.get(account)?.code ?? null),
      textCell(currency),
      amountCell(opening, currency),
      amountCell(debit, currency),
      amountCell(credit, currency),
      amountCell(closing, currency),
    ]),
  };
}

/** The sheet of totals, for comparison with the manifest and with the importing program. */
function control({ facts, balances, currencies, accounts }: Journal): Sheet {
  return {
    name: 'Control',
    columns: [
      ['What', 30],
      ['Value', 24],
      ['Currency', 9],
    ],
    rows: [
      [textCell('Connection'), textCell(facts.connection)],
      [textCell('First day'), dateCell(facts.from)],
      [textCell('Last day'), dateCell(facts.to)],
      [textCell('Time zone of dates'), textCell(facts.zone)],
      [textCell('Entries are'), textCell(facts.mode === 'full' ? 'all of these days' : 'those not taken before')],
      [textCell('Entries'), countCell(facts.entries)],
      [textCell('Accounts'), countCell(accounts.length)],
      [textCell('Rules (SHA-256)'), textCell(facts.policyHash)],
      ...currencies.flatMap((currency) => {
        const sum = (value: (line: AccountBalance) => bigint) =>
          balances.reduce((total, line) => (line.currency === currency ? total + value(line) : total), 0n);
        return [
          [
            textCell('Sum of debits'),
            amountCell(
              sum(({ debit }) => debit),
              currency,
            ),
            textCell(currency),
          ],
          [
            textCell('Sum of credits'),
            amountCell(
              sum(({ credit }) => credit),
              currency,
            ),
            textCell(currency),
          ],
          [
            textCell('Sum of closing balances'),
            amountCell(
              sum(({ closing }) => closing),
              currency,
            ),
            textCell(currency),
          ],
        ];
      }),
    ],
  };
}

/** The sheet of entries for a person to look at: unassigned amounts, corrections, and entries that had to move. */
function exceptions(journal: Journal): Sheet {
  return {
    name: 'Exceptions',
    columns: [
      ['Entry', 20],
      ['Date', 12],
      ['Why', 44],
      ['Account', 38],
      ['Amount', 16],
      ['Currency', 9],
      ['Description', 48],
    ],
    rows: eachEntry(journal, function* (entry) {
      const row = (why: string, more: readonly Cell[]) => [
        textCell(entry.id),
        dateCell(entry.date),
        textCell(why),
        ...more,
        textCell(entry.description),
      ];
      for (const { account, amount, currency } of entry.postings) {
        if (!isUnmapped(account)) continue;
        yield row('not assigned to an account yet', [
          textCell(account),
          amountCell(amount, currency),
          textCell(currency),
        ]);
      }
      if (entry.corrects !== null) yield row(`${entry.kind} of ${entry.corrects}`, [null, null, null]);
      if (entry.originalDate !== null) {
        yield row(`belongs to ${entry.originalDate}, whose period was closed`, [null, null, null]);
      }
    }),
  };
}

function isUnmapped(account: string): boolean {
  return account.split(':').includes('Unmapped');
}

async function* eachEntry(
  journal: Journal,
  rows: (entry: JournalEntry) => Iterable<readonly Cell[]>,
): AsyncGenerator<readonly Cell[]> {
  for await (const entry of journal.entries()) yield* rows(entry);
}
