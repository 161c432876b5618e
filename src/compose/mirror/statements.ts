import type { Config } from '../../config.ts';
import { renderStatement, statementPolicy } from '../../reports/statement/page.ts';
import { readStatement } from '../../reports/statement/readStatement.ts';
import type { AskRows } from '../../reports/read.ts';
import { lookOfIssuer } from './issuer.ts';

interface StatementOrder {
  connection: string;
  owner: string;
  month: string;
}

/** A page, with the policy that restricts it in a browser. */
export interface Page {
  html: string;
  policy: string;
}

/** Renders the printable statement of an owner for a month. */
export async function statementPage(config: Config, ask: AskRows, order: StatementOrder): Promise<Page> {
  const statement = await readStatement(ask, { ...order, terms: (contract) => termsOf(config, order, contract) });
  const look = await lookOfIssuer(config, order.connection);
  return { html: renderStatement(statement, look), policy: statementPolicy(look) };
}

/** Describes the fee of a contract in words. */
function termsOf(config: Config, { connection }: StatementOrder, code: string): string {
  const contract = config.exports.books[connection]?.contracts[code];
  if (!contract) return '';
  const { percent, of, per_stay, kept, free } = contract;
  const parts = [
    ...(Number(percent) > 0
      ? [`fee of ${percent} % of what is ${of === 'gross' ? 'earned' : 'left after the channel’s fee'}`]
      : []),
    ...(Number(per_stay) > 0 ? [`${per_stay} for each stay`] : []),
    ...(kept.length > 0 ? [`the manager keeps: ${kept.join(', ')}`] : []),
    ...(free.length > 0 ? [`without a fee: ${free.join(', ')}`] : []),
  ];
  const text = parts.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
