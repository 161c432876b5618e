import { type Html, html } from '../../kernel/markup/html.ts';
import { decimalText, type Minor } from '../../kernel/money.ts';
import { type Look, logo } from '../../kernel/markup/look.ts';
import { pagesWith } from '../../kernel/markup/page.ts';
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

const pages = pagesWith(`
@page{size:A4;margin:15mm 14mm 17mm}
body{margin:0 auto;max-width:182mm;padding:8mm 4mm;font:10pt/1.45 system-ui,"Segoe UI","Liberation Sans",Arial,sans-serif}
header{display:flex;justify-content:space-between;gap:10mm;align-items:flex-end;border-bottom:2px solid var(--brand,var(--ink));padding-bottom:3mm;margin-bottom:4mm}
h1{font-size:18pt;line-height:1.15;margin:0}
header p{margin:.5mm 0 0;overflow-wrap:anywhere}
header div:last-child{text-align:right;flex:none;max-width:45%}
.issuer{font-weight:600}
header img{display:block;margin:0 0 2mm auto}
h2{font-size:13pt;margin:7mm 0 1mm;break-after:avoid}
h2+p{margin:0 0 2mm;color:var(--dim);break-after:avoid}
.note{color:var(--dim);margin:0 0 2mm}
.open{border:1px solid var(--line);border-left:4px solid var(--ink);padding:2mm 3mm;margin:0 0 3mm}
table{width:100%;border-collapse:collapse;margin:3mm 0 5mm;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;font-size:11pt;padding:0 0 1mm;break-after:avoid}
th,td{padding:1.1mm 1.4mm;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th{font-size:8.5pt;color:var(--dim);border-bottom:1px solid var(--ink);vertical-align:bottom}
tbody th{font-weight:400}
tr{break-inside:avoid}
thead{display:table-header-group}
tfoot{display:table-row-group}
.n{text-align:right}
td.n{white-space:nowrap}
.d{white-space:nowrap}
tfoot th,tfoot td,tr.sum th,tr.sum td{font-weight:600;border-top:1px solid var(--ink);border-bottom:0;background:var(--ground)}
table.account{max-width:110mm}
@media screen{.wide{overflow-x:auto}}
.small{display:block;font-size:8pt;color:var(--dim)}
.code{overflow-wrap:anywhere}
th.code{min-width:40mm;font-size:9pt}
footer{margin-top:6mm;border-top:1px solid var(--line);padding-top:2mm;color:var(--dim);font-size:8.5pt}
@media print{html,body{padding:0;max-width:none}body{margin:0}}
`);

/** Returns the content security policy: the browser may only show the page. */
export function statementPolicy(look?: Look): string {
  return pages.policy(undefined, look);
}

/**
 * Renders a statement as a page of its own for A4 paper, without scripts or external content. The same rows give the
 * same bytes.
 * @param look of the issuer; a logo is part of the page
 */
export function renderStatement(statement: Statement, look?: Look): string {
  const { name, manager, from, to, parts } = statement;
  const period = monthName(statement.month);
  const title = `Owner statement, ${period}`;
  return pages.page(
    plain(`${title}: ${name}`),
    html`<header>
        <div>
          <h1>Owner statement</h1>
          <p>${plain(name)}</p>
        </div>
        <div>
          ${
            look
              ? html`${logo(look)}
                  <p class="issuer">${plain(look.name)}</p>`
              : ''
          }
          ${look && plain(look.name) === plain(manager) ? '' : html`<p>${plain(manager)}</p>`}
          <p><strong>${plain(period)}</strong></p>
          <p>${from} to ${to}</p>
        </div>
      </header>
      <main>
        ${stateNote(statement)}
        ${parts.length === 0 ? html`<p>Nothing has moved on this account so far.</p>` : parts.map(renderPart)}
      </main>
      <footer>
        <p>
          Amounts above zero are for the owner, those below zero are borne by the owner. Booked through
          ${statement.books.through}.
        </p>
      </footer>`,
    look,
  );
}

function stateNote({ isClosed, books, to }: Statement): Html {
  if (isClosed) return html`<p class="note">This month is closed. What changes later stands in a later statement.</p>`;
  const why = books.through < to ? 'the month is not over' : 'the month is not closed';
  return html`<p class="open"><strong>Preliminary:</strong> ${why}, and amounts may still change.</p>`;
}

function renderPart(part: StatementPart): Html {
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
  const shown = account.filter(([name, minor]) => minor !== 0 || name === 'Revenue');
  const heading = contract === '' ? 'Without a contract' : `Contract ${contract}`;
  return html`<section>
    <h2>${plain(`${heading}, ${currency}`)}</h2>
    <p>${plain(terms)}</p>
    <table class="account">
      <caption>
        Account
      </caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" class="n">${currency}</th>
        </tr>
      </thead>
      <tbody>
        <tr class="sum">
          <th scope="row">Opening balance</th>
          <td class="n">${money(sums.opening)}</td>
        </tr>
        ${shown.map(
          ([name, minor]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td class="n">${money(minor)}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Closing balance</th>
          <td class="n">${money(sums.closing)}</td>
        </tr>
      </tfoot>
    </table>
    ${staysTable(stays, currency)} ${othersTable('Expenses', expenses, currency)}
    ${othersTable('Payouts', payouts, currency)} ${propertiesTable(part, properties.length > 0)}
  </section>`;
}

type Amount = readonly [name: string, of: (stay: StayLine) => Minor];

/** On a narrow screen a table with many columns is scrolled by itself. */
function wide(table: Html): Html {
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table">${table}</div>`;
}

function staysTable(stays: readonly StayLine[], currency: string): Html {
  if (stays.length === 0) return html`<p class="note">No revenue in this month.</p>`;
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
  return wide(
    html`<table>
      <caption>
        Revenue by stay
      </caption>
      <thead>
        <tr>
          <th scope="col">Booking</th>
          <th scope="col">Property</th>
          <th scope="col">Stay</th>
          ${amounts.map(([name]) => html`<th scope="col" class="n">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${stays.map(
          (stay) =>
            html`<tr>
              <th scope="row" class="code">
                ${plain(stay.reservation ?? '–')}<span class="small"
                  >${plain([stay.channel.replaceAll('_', ' '), stay.remark].filter(Boolean).join(', '))}</span
                >
              </th>
              <td>${plain(stay.property)}</td>
              <td class="d">${dates(stay)}</td>
              ${amounts.map(([, of]) => html`<td class="n">${money(of(stay))}</td>`)}
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colspan="3">Total</th>
          ${amounts.map(([, of]) => html`<td class="n">${sum(of)}</td>`)}
        </tr>
      </tfoot>
    </table>`,
  );
}

function dates({ checkIn, checkOut }: StayLine): Html {
  return checkIn === null || checkOut === null ? html`–` : html`${checkIn}<span class="small">to ${checkOut}</span>`;
}

function othersTable(caption: string, lines: readonly OtherLine[], currency: string): Html {
  if (lines.length === 0) return html``;
  const money = (minor: Minor) => amountText(minor, currency);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return wide(
    html`<table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Property</th>
          <th scope="col">What</th>
          <th scope="col" class="n">${currency}</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ date, property, text, entry, amount }) =>
            html`<tr>
              <th scope="row" class="d">${date}</th>
              <td>${plain(property)}</td>
              <td class="code">${plain(text)}<span class="small">${plain(entry)}</span></td>
              <td class="n">${money(amount)}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colspan="3">Total</th>
          <td class="n">${money(total)}</td>
        </tr>
      </tfoot>
    </table>`,
  );
}

function propertiesTable({ properties, currency }: StatementPart, isShown: boolean): Html {
  if (!isShown) return html``;
  const money = (minor: Minor | null) => (minor === null ? '–' : amountText(minor, currency));
  return wide(
    html`<table>
      <caption>
        How the properties did
      </caption>
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col" class="n">Nights sold</th>
          <th scope="col" class="n">Occupancy</th>
          <th scope="col" class="n">Average night</th>
          <th scope="col" class="n">Per available night</th>
        </tr>
      </thead>
      <tbody>
        ${properties.map(
          ({ property, nights, occupancy, adr, revpar }) =>
            html`<tr>
              <th scope="row">${plain(property)}</th>
              <td class="n">${nights}</td>
              <td class="n">${occupancy === null ? '–' : `${occupancy.toFixed(1)} %`}</td>
              <td class="n">${money(adr)}</td>
              <td class="n">${money(revpar)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  );
}

/** Writes an exact amount with a typographic minus. */
function amountText(minor: Minor, currency: string): string {
  return decimalText(minor, currency).replace('-', '−');
}

function monthName(month: string): string {
  return `${MONTHS[Number(month.slice(5)) - 1] ?? month} ${month.slice(0, 4)}`;
}

/** Removes control and direction characters, because a name from outside must not move the text. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ');
}
