import { type Html, html } from '../../kernel/markup/html.ts';
import { channelName } from '../frame/channelName.ts';
import { actionForm, choiceField, hiddenFields, inputField } from '../frame/form.ts';
import { type Column, section, table } from '../frame/table.ts';
import { returnForm } from '../stay/returnForm.ts';
import { stayLink } from '../today/waitingView.ts';
import type { Visit } from '../visit.ts';
import type { MoneyContent } from './content.ts';
import { nameList } from './dictionaries.ts';
import { monthEnd } from './monthEnd.ts';

/** Shows open balances, deposits, payouts, the month-end, statements and the lists of names. */
export function moneyView(visit: Visit, content: MoneyContent): Html {
  const words = visit.texts.money;
  return html`<header class="head"><h1>${words.title}</h1></header>
    ${balancesPart(visit, content)} ${depositsPart(visit, content)} ${payoutsPart(visit, content)}
    ${monthEnd(visit, content)} ${statementsPart(visit, content)} ${visit.isHere ? names(visit, content) : ''}`;
}

/** Categories, methods and sources, which another deployment keeps for itself. */
function names(visit: Visit, { dictionaries, channels }: MoneyContent): Html {
  const words = visit.texts.money;
  return section(
    'names',
    words.names,
    words.namesHint,
    html`<div class="panels">
      ${dictionaries.map(({ dictionary, entries }) => nameList(visit, { list: dictionary, entries }))}
      ${nameList(visit, { list: 'custom_channels', entries: channels })}
    </div>`,
  );
}

function balancesPart(visit: Visit, { balances, asked, properties }: MoneyContent): Html {
  const { texts, format } = visit;
  const words = texts.money;
  const isLimited = asked.property !== undefined || asked.since !== undefined || asked.isPage;
  if (balances.rows.length === 0 && !isLimited) {
    return section('balances', words.balances, '', html`<p class="dim">${words.allPaid}</p>`);
  }
  const limits = balanceLimits(visit, asked, properties);
  if (balances.rows.length === 0) {
    return section(
      'balances',
      words.balances,
      '',
      html`${limits}
        <p class="dim">${words.noneOfThese}</p>`,
    );
  }
  const columns: Column[] = [
    texts.today.guest,
    texts.today.unit,
    words.arrival,
    texts.today.source,
    { head: texts.today.owed, isAmount: true },
  ];
  const rows = balances.rows.map((one) => [
    stayLink(visit, { stay_code: one.stay_code ?? one.reservation_code, guest: one.guest }),
    one.property ?? '',
    one.check_in_date === null ? '' : format.day(one.check_in_date),
    channelName(visit, one),
    format.money(one.balance_minor ?? 0, one.payment_currency ?? one.currency ?? ''),
  ]);
  const last = balances.rows.at(-1);
  const to = (fields: Record<string, string | undefined>) =>
    `${visit.address('money', { ...visit.at, ...fields })}#balances`;
  const pages = html`<nav class="range" aria-label="${words.pagesOfBalances}">
    ${asked.isPage ? html`<a href="${to({ after: undefined, after_code: undefined })}">${words.earliest}</a>` : ''}
    ${
      balances.hasMore && last?.check_in_date
        ? html`<a href="${to({ after: last.check_in_date, after_code: last.reservation_code })}" rel="next"
            >${words.later}</a
          >`
        : ''
    }
  </nav>`;
  const isPaged = balances.hasMore || asked.isPage;
  return section(
    'balances',
    words.balances,
    words.balancesHint,
    html`${limits} ${table(columns, rows)} ${isPaged ? pages : ''}`,
  );
}

/** The form that limits the open balances; what else the page shows stays as it is. */
function balanceLimits(
  { texts, connection, connections, at }: Visit,
  { property, since }: MoneyContent['asked'],
  properties: MoneyContent['properties'],
): Html {
  const words = texts.money;
  const { month } = at;
  const kept = { ...(connections.length > 1 && { connection }), ...(month !== undefined && { month }) };
  return html`<form class="form filters" method="get" action="/console/money" aria-label="${words.balances}">
    ${hiddenFields(kept)}
    ${choiceField({
      of: 'of-',
      name: 'property',
      label: texts.today.property,
      none: words.everyProperty,
      options: properties.map(({ id, name }) => ({ value: id, text: name ?? `#${id}` })),
      chosen: property,
    })}
    ${inputField({ of: 'of-', name: 'since', label: words.arrivalsFrom, value: since, type: 'date' })}
    <button type="submit" class="second">${texts.frame.show}</button>
  </form>`;
}

function depositsPart(visit: Visit, { deposits }: MoneyContent): Html {
  const { texts, format } = visit;
  const words = texts.money;
  if (deposits.length === 0)
    return section('deposits', words.deposits, '', html`<p class="dim">${words.noDeposits}</p>`);
  const columns: Column[] = [
    texts.today.guest,
    texts.today.unit,
    words.left,
    { head: texts.today.owedBack, isAmount: true },
    texts.today.answer,
  ];
  const rows = deposits.map((stay) => {
    const deposit = {
      currency: stay.deposit_currency ?? stay.currency ?? '',
      paid: stay.deposit_paid_minor ?? 0,
      deducted: stay.deposit_deducted_minor ?? 0,
      refunded: stay.deposit_refunded_minor ?? 0,
      owed: stay.deposit_pending_refund_minor ?? 0,
    };
    const guest = stay.guest ?? stay.stay_code;
    return [
      stayLink(visit, stay),
      stay.property ?? '',
      stay.check_out_date === null ? '' : format.day(stay.check_out_date),
      format.money(deposit.owed, deposit.currency),
      stay.channel_type === 'direct' && visit.isHere && visit.may('stay.money')
        ? returnForm(visit, { code: stay.stay_code, guest, deposit })
        : texts.stay.channelDeposit,
    ];
  });
  return section('deposits', words.deposits, '', table(columns, rows));
}

function payoutsPart(visit: Visit, { books }: MoneyContent): Html {
  const { texts, format } = visit;
  const words = texts.money;
  if (books.payouts.length === 0) {
    return section(
      'payouts',
      words.payouts,
      '',
      html`<p class="dim">${words.noPayouts}</p>
        ${bookForm(visit)}`,
    );
  }
  const columns: Column[] = [
    words.account,
    { head: words.expected, isAmount: true },
    { head: words.matched, isAmount: true },
    { head: words.unexplained, isAmount: true },
    words.oldest,
  ];
  const rows = books.payouts.map((one) => [
    one.account,
    format.money(one.expected, one.currency),
    format.money(one.matched, one.currency),
    one.unexplained === 0
      ? html`<span class="good">${format.money(0, one.currency)}</span>`
      : html`<strong>${format.money(one.unexplained, one.currency)}</strong>`,
    one.oldest === null ? '' : format.day(one.oldest),
  ]);
  return section('payouts', words.payouts, words.payoutsHint, html`${table(columns, rows)} ${bookForm(visit)}`);
}

/** The figures of the books follow some minutes behind; a button makes them now. */
function bookForm(visit: Visit): Html {
  if (!visit.may('money.close')) return html``;
  const { bookNow } = visit.texts.money;
  return actionForm(
    visit,
    { page: 'money', action: 'book', label: bookNow },
    html`<button type="submit" class="second">${bookNow}</button>`,
  );
}

function statementsPart(visit: Visit, { books }: MoneyContent): Html {
  const words = visit.texts.money;
  const { statements } = books;
  if (statements.length === 0) {
    return section('statements', words.statements, '', html`<p class="dim">${words.noStatements}</p>`);
  }
  const address = ({ owner, month }: (typeof statements)[number]) => visit.address('money/statement', { owner, month });
  return section(
    'statements',
    words.statements,
    words.statementsHint,
    html`<ul class="plain">
      ${statements.map((one) => html`<li><a href="${address(one)}">${one.owner} · ${one.month}</a></li>`)}
    </ul>`,
  );
}
