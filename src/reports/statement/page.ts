import { escapedHtml, pagePolicy } from '../../kernel/htmlText.ts';
import { decimalText, type Minor } from '../../kernel/money.ts';
import type { OtherLine, Statement, StatementPart, StayLine } from './statement.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const STYLE = `
@page{size:A4;margin:15mm 14mm 17mm}
:root{--ink:#1a1d21;--soft:#565d66;--line:#c9ced4;--tint:#f2f4f6}
*{box-sizing:border-box}
html{background:#fff;color:var(--ink);font:10pt/1.45 system-ui,"Segoe UI","Liberation Sans",Arial,sans-serif}
body{margin:0 auto;max-width:182mm;padding:8mm 4mm}
header{display:flex;justify-content:space-between;gap:10mm;align-items:flex-end;border-bottom:2px solid var(--ink);padding-bottom:3mm;margin-bottom:4mm}
h1{font-size:18pt;line-height:1.15;margin:0}
header p{margin:.5mm 0 0;overflow-wrap:anywhere}
header div:last-child{text-align:right;flex:none;max-width:45%}
h2{font-size:13pt;margin:7mm 0 1mm;break-after:avoid}
h2+p{margin:0 0 2mm;color:var(--soft);break-after:avoid}
.note{color:var(--soft);margin:0 0 2mm}
.open{border:1px solid var(--line);border-left:4px solid var(--ink);padding:2mm 3mm;margin:0 0 3mm}
table{width:100%;border-collapse:collapse;margin:3mm 0 5mm;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;font-size:11pt;padding:0 0 1mm;break-after:avoid}
th,td{padding:1.1mm 1.4mm;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{font-size:8.5pt;color:var(--soft);border-bottom:1px solid var(--ink);vertical-align:bottom}
tbody th{font-weight:400}
tr{break-inside:avoid}
thead{display:table-header-group}
tfoot{display:table-row-group}
.n{text-align:right}
td.n{white-space:nowrap}
.d{white-space:nowrap}
tfoot th,tfoot td,tr.sum th,tr.sum td{font-weight:600;border-top:1px solid var(--ink);border-bottom:0;background:var(--tint)}
table.account{max-width:110mm}
.small{display:block;font-size:8pt;color:var(--soft)}
.code{overflow-wrap:anywhere}
th.code{min-width:40mm;font-size:9pt}
footer{margin-top:6mm;border-top:1px solid var(--line);padding-top:2mm;color:var(--soft);font-size:8.5pt}
@media print{html,body{padding:0;max-width:none}body{margin:0}}
`;

/** What a browser may do with the page: show it. */
export const STATEMENT_POLICY = pagePolicy(STYLE);

/** The statement as a page of its own, for paper of A4: no script, nothing from elsewhere. The same rows give the same bytes. */
export function renderStatement(statement: Statement): string {
  const { name, manager, from, to, parts } = statement;
  const period = monthName(statement.month);
  const title = `Owner statement, ${period}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(`${title}: ${name}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<div><h1>Owner statement</h1><p>${escaped(name)}</p></div>
<div><p>${escaped(manager)}</p><p><strong>${escaped(period)}</strong></p><p>${from} to ${to}</p></div>
</header>
<main>
${stateNote(statement)}
${parts.length === 0 ? '<p>Nothing has moved on this account so far.</p>' : parts.map(renderPart).join('\n')}
</main>
<footer>
<p>Amounts above zero are for the owner, those below zero are borne by the owner. Booked through ${statement.books.through}.</p>
</footer>
</body>
</html>
`;
}

function stateNote({ isClosed, books, to }: Statement): string {
  if (isClosed) return '<p class="note">This month is closed. What changes later stands in a later statement.</p>';
  const why = books.through < to ? 'the month is not over' : 'the month is not closed';
  return `<p class="open"><strong>Preliminary:</strong> ${why}, and amounts may still change.</p>`;
}

function renderPart(part: StatementPart): string {
  const { contract, terms, currency, sums, stays, expenses, payouts, properties } = part;
  const money = (minor: Minor) => amountText(minor, currency);
  const account: [string, Minor][] = [
    ['Revenue', sums.revenue],
    ['Management fee', sums.management_fee],
    ['Channel and payment fees', sums.channel_fee],
    ['Occupancy tax', sums.tax],
    ['Expenses', sums.expense],
    ['Payouts', sums.payout],
  ];
  const told = account.filter(([name, minor]) => minor !== 0 || name === 'Revenue');
  const heading = contract === '' ? 'Without a contract' : `Contract ${contract}`;
  return `<section>
<h2>${escaped(`${heading}, ${currency}`)}</h2>
<p>${escaped(terms)}</p>
<table class="account">
<caption>Account</caption>
<thead><tr><th scope="col">Item</th><th scope="col" class="n">${currency}</th></tr></thead>
<tbody>
<tr class="sum"><th scope="row">Opening balance</th><td class="n">${money(sums.opening)}</td></tr>
${told.map(([name, minor]) => `<tr><th scope="row">${name}</th><td class="n">${money(minor)}</td></tr>`).join('\n')}
</tbody>
<tfoot><tr><th scope="row">Closing balance</th><td class="n">${money(sums.closing)}</td></tr></tfoot>
</table>
${staysTable(stays, currency)}
${othersTable('Expenses', expenses, currency)}
${othersTable('Payouts', payouts, currency)}
${propertiesTable(part, properties.length > 0)}
</section>`;
}

type Amount = readonly [name: string, of: (stay: StayLine) => Minor];

function staysTable(stays: readonly StayLine[], currency: string): string {
  if (stays.length === 0) return '<p class="note">No revenue in this month.</p>';
  const money = (minor: Minor) => amountText(minor, currency);
  const hasTax = stays.some(({ tax }) => tax !== 0);
  const sum = (of: (stay: StayLine) => Minor) => money(stays.reduce((total, stay) => total + of(stay), 0));
  const tax: Amount[] = hasTax ? [['Tax', (stay) => stay.tax]] : [];
  const amounts: readonly Amount[] = [
    ['Revenue', (stay) => stay.revenue],
    ['Channel fee', (stay) => stay.channelFee],
    ['Management fee', (stay) => stay.managementFee],
    ...tax,
    ['For the owner', (stay) => stay.net],
  ];
  return `<table>
<caption>Revenue by stay</caption>
<thead><tr><th scope="col">Booking</th><th scope="col">Property</th><th scope="col">Stay</th>${amounts
    .map(([name]) => `<th scope="col" class="n">${name}</th>`)
    .join('')}</tr></thead>
<tbody>
${stays
  .map(
    (stay) =>
      `<tr><th scope="row" class="code">${escaped(stay.reservation ?? '–')}<span class="small">${escaped(
        [stay.channel.replaceAll('_', ' '), stay.remark].filter(Boolean).join(', '),
      )}</span></th><td>${escaped(stay.property)}</td><td class="d">${dates(stay)}</td>${amounts
        .map(([, of]) => `<td class="n">${money(of(stay))}</td>`)
        .join('')}</tr>`,
  )
  .join('\n')}
</tbody>
<tfoot><tr><th scope="row" colspan="3">Total</th>${amounts.map(([, of]) => `<td class="n">${sum(of)}</td>`).join('')}</tr></tfoot>
</table>`;
}

function dates({ checkIn, checkOut }: StayLine): string {
  return checkIn === null || checkOut === null ? '–' : `${checkIn}<span class="small">to ${checkOut}</span>`;
}

function othersTable(caption: string, lines: readonly OtherLine[], currency: string): string {
  if (lines.length === 0) return '';
  const money = (minor: Minor) => amountText(minor, currency);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return `<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Date</th><th scope="col">Property</th><th scope="col">What</th><th scope="col" class="n">${currency}</th></tr></thead>
<tbody>
${lines
  .map(
    ({ date, property, text, entry, amount }) =>
      `<tr><th scope="row" class="d">${date}</th><td>${escaped(property)}</td><td class="code">${escaped(text)}<span class="small">${escaped(entry)}</span></td><td class="n">${money(amount)}</td></tr>`,
  )
  .join('\n')}
</tbody>
<tfoot><tr><th scope="row" colspan="3">Total</th><td class="n">${money(total)}</td></tr></tfoot>
</table>`;
}

function propertiesTable({ properties, currency }: StatementPart, isShown: boolean): string {
  if (!isShown) return '';
  const money = (minor: Minor | null) => (minor === null ? '–' : amountText(minor, currency));
  return `<table>
<caption>How the properties did</caption>
<thead><tr><th scope="col">Property</th><th scope="col" class="n">Nights sold</th><th scope="col" class="n">Occupancy</th><th scope="col" class="n">Average night</th><th scope="col" class="n">Per available night</th></tr></thead>
<tbody>
${properties
  .map(
    ({ property, nights, occupancy, adr, revpar }) =>
      `<tr><th scope="row">${escaped(property)}</th><td class="n">${nights}</td><td class="n">${occupancy === null ? '–' : `${occupancy.toFixed(1)} %`}</td><td class="n">${money(adr)}</td><td class="n">${money(revpar)}</td></tr>`,
  )
  .join('\n')}
</tbody>
</table>`;
}

/** Exact, with a minus as it is printed. */
function amountText(minor: Minor, currency: string): string {
  return decimalText(minor, currency).replace('-', '−');
}

function monthName(month: string): string {
  return `${MONTHS[Number(month.slice(5)) - 1] ?? month} ${month.slice(0, 4)}`;
}

/** Names come from elsewhere: none of their signs is markup, and none moves the text. */
function escaped(text: string): string {
  return escapedHtml(text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' '));
}
