import { type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from './context.ts';
import { jsonText } from './output.ts';
import { count } from './people.ts';
import { withCore } from './portal.ts';

interface ShownBooking {
  reservation_code: string;
  status: string;
  check_in_date: string;
  check_out_date: string;
  guest_url: string;
  currency: string;
  quote: { total: number };
  received: number;
  surplus: number;
  due: { purpose: string; amount: number } | null;
  payments: {
    id: number;
    purpose: string;
    provider: string;
    amount: number;
    state: string;
    url: string | null;
    problem: string | null;
  }[];
  refunds: { id: number; amount: number; state: string; problem: string | null }[];
}

interface Of {
  account?: string;
}

const OF_ACCOUNT = ['--account <name>', 'which account; needed when there are several'] as const;

/** Adds `stayd bookings`: what guests have booked on a page, and its money. */
export function directBookingCommands(program: Command, context: CliContext): void {
  const bookings = program.command('bookings').description('bookings of guests on a page, and their money');
  const act = <Options extends Of>(
    code: string,
    options: Options,
    fields: Readonly<Record<string, unknown>>,
    path: string,
  ) =>
    withCore(context, async (portal) => {
      const at = `/portal/bookings/${encodeURIComponent(code)}/${path}`;
      const body = { account: options.account, ...fields };
      context.out(said(await portal.send<ShownBooking>('POST', at, body)));
    });
  bookings
    .command('show <code>')
    .description('show what was agreed, paid and is due')
    .option(...OF_ACCOUNT)
    .option('--json', 'as JSON')
    .action((code: string, { account, json }: Of & { json?: true }) =>
      withCore(context, async (portal) => {
        const found = await portal.get<ShownBooking>(`/portal/bookings/${encodeURIComponent(code)}`, { account });
        context.out(json ? jsonText(found) : said(found));
      }),
    );
  bookings
    .command('paid <code>')
    .description('note a payment that came by transfer or in cash')
    .option('--amount <amount>', 'how much; by default what is due', amount)
    .option('--note <text>', 'a note for the ledger')
    .option('--anyway', 'also if a calendar of another place stands against it')
    .option(...OF_ACCOUNT)
    .action((code: string, options: Of & { amount?: number; note?: string; anyway?: true }) =>
      act(code, options, { amount: options.amount, note: options.note, anyway: options.anyway }, 'paid'),
    );
  bookings
    .command('link <code>')
    .description('make a link to pay what is due by card')
    .option('--deposit', 'for the security deposit, which is only reserved')
    .option(...OF_ACCOUNT)
    .action((code: string, options: Of & { deposit?: true }) =>
      act(code, options, { purpose: options.deposit ? 'deposit' : 'due' }, 'payment_link'),
    );
  bookings
    .command('look <code>')
    .description('ask the provider now what became of payments')
    .option(...OF_ACCOUNT)
    .action((code: string, options: Of) => act(code, options, {}, 'look'));
  bookings
    .command('refund <code>')
    .description('give money back: to the card by itself, a transfer by your hand')
    .requiredOption('--amount <amount>', 'how much', amount)
    .option(...OF_ACCOUNT)
    .action((code: string, options: Of & { amount: number }) =>
      act(code, options, { amount: options.amount }, 'refund'),
    );
  bookings
    .command('deposit <code>')
    .description('end a security deposit that is reserved on a card')
    .requiredOption('--keep <amount>', 'what is kept; 0 lets all of it go', keep)
    .option(...OF_ACCOUNT)
    .action((code: string, options: Of & { keep: number }) => act(code, options, { amount: options.keep }, 'deposit'));
  for (const [name, how, what] of [
    ['refund-done', 'done', 'note that a refund was made'],
    ['refund-dropped', 'dropped', 'note that a refund is not made'],
  ] as const) {
    bookings
      .command(`${name} <code> <refund>`)
      .description(what)
      .option(...OF_ACCOUNT)
      .action((code: string, refund: string, options: Of) => act(code, options, {}, `refunds/${count(refund)}/${how}`));
  }
  bookings
    .command('settle <code> <payment>')
    .description('note that a payment that was not as it should be is dealt with')
    .option(...OF_ACCOUNT)
    .action((code: string, payment: string, options: Of) =>
      act(code, options, {}, `payments/${count(payment)}/settle`),
    );
}

function keep(text: string): number {
  const value = Number(text.replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('Write an amount.');
  return value;
}

function amount(text: string): number {
  const value = keep(text);
  if (value === 0) throw new InvalidArgumentError('Write an amount above zero.');
  return value;
}

function said(booking: ShownBooking): string {
  const { currency, due, payments, refunds } = booking;
  const problem = (text: string | null) => (text === null ? '' : `: ${text}`);
  return [
    `${booking.reservation_code}  ${booking.status}  ${booking.check_in_date} to ${booking.check_out_date}`,
    `agreed ${booking.quote.total} ${currency}, paid ${booking.received}${booking.surplus > 0 ? `, too much ${booking.surplus}` : ''}`,
    ...(due === null ? [] : [`due: ${due.amount} ${currency} (${due.purpose})`]),
    ...payments.map(
      (one) =>
        `payment ${one.id}  ${one.purpose}  ${one.provider}  ${one.amount}  ${one.state}${problem(one.problem)}${one.url === null ? '' : `\n  ${one.url}`}`,
    ),
    ...refunds.map((one) => `refund ${one.id}  ${one.amount}  ${one.state}${problem(one.problem)}`),
    `page of the guest: ${booking.guest_url}`,
  ].join('\n');
}
