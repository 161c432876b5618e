import { groupedBy, joinProperty, spans, sum, sumOf } from '../reports/expressions.ts';
import { joinAccount, placeName } from './expressions.ts';

/**
 * Money of guests that is not earned yet, one row a booking, at the end of a day. Ask for one `as_of`: one aggregate
 * over plain tables, since SQLite takes a condition into that, and not through a second one.
 */
export const guestAdvances = `
select h.connection, h.as_of, h.check_in_date, h.check_out_date, h.reservation_code, r.property_id,
  case when r.property_id is null and r.stays > 1 then '(several)' else ${placeName('p', 'r.property_id')} end as property,
  h.channel, coalesce(r.status, 'gone') as status, h.currency, h.received as received_minor, h.earned as earned_minor,
  h.received - h.earned as held_minor,
  case when r.reservation_code is null or r.check_out_date <= h.as_of or substr(r.cancelled_at, 1, 10) <= h.as_of
    then 1 else 0 end as overdue
from (
  select p.connection, d.date as as_of, p.reservation_code, p.currency, max(p.channel) as channel,
    ${sumOf('-p.amount_minor', `p.suffix = ''`)} as received, ${sumOf('p.amount_minor', `p.suffix <> ''`)} as earned,
    max(s.check_in_date) as check_in_date, max(s.check_out_date) as check_out_date
  from dates d join book_accounts a on a.role = 'advances'
  join book_postings p on p.connection = a.connection and p.account = a.account and p.date <= d.date
  left join reservations s on s.connection = p.connection and s.reservation_code = p.reservation_code
  ${groupedBy(4)}
) h
left join reservations r on r.connection = h.connection and r.reservation_code = h.reservation_code
  and r.deleted_at is null
${joinProperty('r')}
where h.received <> h.earned`;

/** Deposits that are owed to guests, and holds on their cards, at the end of a day. */
export const deposits = `
select b.connection, d.date as as_of, b.ends_on, b.due_on, b.stay_code, b.reservation_code, b.property_id,
  ${placeName('p', 'b.property_id')} as property, b.channel, coalesce(b.kind, 'unexplained') as kind,
  case
    when b.kind is null then 'unexplained'
    when b.kind = 'hold' then case when b.lapses_on <= d.date then 'lapsed' else 'held' end
    when b.due_on < d.date then 'overdue'
    when b.ends_on <= d.date then 'due'
    else 'held'
  end as state,
  b.lapses_on, b.currency, b.paid_minor, b.deducted_minor, b.paid_minor - b.deducted_minor - b.pending_minor as returned_minor,
  b.pending_minor as held_minor
from dates d join book_deposits b on b.from_date <= d.date and (b.to_date is null or b.to_date > d.date)
${joinProperty('b')}
where b.pending_minor > 0`;

const balance = (condition: string) => sumOf('p.amount_minor', condition);
const owed = (role: string) => sumOf('-p.amount_minor', `a.role = '${role}'`);

/** What is held for others, against the money that covers it, at the end of a day. */
export const trust = `
select t.connection, t.as_of, t.currency, t.bank as bank_minor, t.clearing as clearing_minor,
  t.bank + t.clearing as held_minor, t.advances as advances_minor, t.deposits as deposits_minor,
  t.owners as owners_minor, t.taxes as taxes_minor,
  t.advances + t.deposits + t.owners + t.taxes as owed_minor,
  t.bank + t.clearing - (t.advances + t.deposits + t.owners + t.taxes) as difference_minor
from (
  select p.connection, d.date as as_of, p.currency,
    ${balance(`a.trust = 1 and a.role <> 'clearing'`)} as bank,
    ${balance(`a.trust = 1 and a.role = 'clearing'`)} as clearing,
    ${owed('advances')} as advances, ${owed('deposits')} as deposits, ${owed('owner')} as owners,
    ${owed('occupancy_tax')} as taxes
  from dates d join book_postings p on p.date <= d.date
  ${joinAccount('p')}
  where a.trust = 1 or a.role in ('advances', 'deposits', 'owner', 'occupancy_tax')
  ${groupedBy(3)}
) t`;

/** What clearing accounts took in, what payouts account for, and what is left. */
export function payoutReconciliation(): string {
  const isReceipt = `p.source_kind <> 'payout'`;
  const isMatched = `${isReceipt} and o.payout_id is not null`;
  const isOpen = `${isReceipt} and o.payout_id is null`;
  return `
select c.connection, c.span, c.period, c.account, c.currency, c.postings, c.expected as expected_minor,
  c.matched as matched_minor, c.expected - c.matched as unexplained_minor, c.open_postings as unexplained_postings,
  c.oldest as oldest_unexplained, c.paid as paid_minor
from (${spans(
    'p.date',
    (span) => `
  select p.connection, ${span}, p.account, p.currency,
    ${sum(`case when ${isReceipt} then 1 else 0 end`)} as postings, ${sumOf('p.amount_minor', isReceipt)} as expected,
    ${sumOf('p.amount_minor', isMatched)} as matched, ${sum(`case when ${isOpen} then 1 else 0 end`)} as open_postings,
    min(case when ${isOpen} then p.date end) as oldest, ${sumOf('-p.amount_minor', `p.source_kind = 'payout'`)} as paid
  from book_accounts a join book_postings p on p.connection = a.connection and p.account = a.account
  left join payout_postings o on o.connection = p.connection and o.entry_id = p.entry_id and o.posting = p.posting
  where a.role = 'clearing'
  ${groupedBy(5)}`,
  )}) c`;
}

/** Payouts that were matched, with what their postings come to now. */
export const payouts = `
select y.connection, y.date, y.payout_id, y.bank, y.account, y.currency, y.amount_minor, x.bookings, x.postings,
  coalesce(x.now, 0) - y.amount_minor as changed_minor, y.matched_by, y.matched_at
from payouts y left join (
  select o.connection, o.payout_id, count(distinct o.reservation_code) as bookings, count(*) as postings,
    ${sum('p.amount_minor')} as now
  from payout_postings o
  left join book_postings p on p.connection = o.connection and p.entry_id = o.entry_id and p.posting = o.posting
  ${groupedBy(2)}
) x on x.connection = y.connection and x.payout_id = y.payout_id
where y.undone_at is null`;
