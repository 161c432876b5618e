import type { PlainDate } from '../../kernel/dates.ts';
import { type Currency, decimalText } from '../../kernel/money.ts';
import type { AccountBalance, AccountName, Journal, JournalEntry } from '../journal/entry.ts';
import { accountHash, clearingBalances, shortName, statementLines, statementPart } from './writing/clearing.ts';
import type { Format, FormatOptions, WrittenFile } from './format.ts';
import { noOptions, readOptions } from './options.ts';
import { cutOff, joined, oneLine } from './writing/text.ts';
import { digitsOf } from './writing/writtenDate.ts';

const HEADER = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:UTF-8
CHARSET:NONE
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

`;

/** Limits of OFX 1.0.2 in characters. */
const LONGEST_ACCOUNT = 22;
const LONGEST_NAME = 32;
const LONGEST_MEMO = 255;

/**
 * OFX statements of clearing accounts. The id of a line consists of the entry's reference and the place of the posting,
 * so it never changes.
 */
export const ofx: Format = {
  name: 'ofx',
  title: 'bank statement (OFX 1.0.2) of each clearing account, for programs that reconcile',
  extension: 'ofx',
  write: files,
};

async function* files(journal: Journal, options: FormatOptions): AsyncGenerator<WrittenFile> {
  readOptions('ofx', noOptions, options);
  for (const balance of clearingBalances(journal)) {
    yield { part: statementPart(balance), chunks: joined(statement(journal, balance)) };
  }
}

async function* statement({ facts, entries }: Journal, balance: AccountBalance): AsyncGenerator<string> {
  const { account, currency } = balance;
  yield `${HEADER}<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>${moment(facts.to)}<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>0<STATUS><CODE>0<SEVERITY>INFO</STATUS>
<STMTRS><CURDEF>${currency}
<BANKACCTFROM><BANKID>stayd<ACCTID>${escaped(accountId(account, currency))}<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>${moment(facts.from)}<DTEND>${moment(facts.to)}
`;
  for await (const entry of entries()) yield transactions(entry, balance);
  yield `</BANKTRANLIST>
<LEDGERBAL><BALAMT>${decimalText(balance.closing, currency)}<DTASOF>${moment(facts.to)}</LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
`;
}

function transactions(entry: JournalEntry, balance: AccountBalance): string {
  return statementLines(entry, balance)
    .map(({ id, amount, memo = entry.description }) => {
      const name = oneLine(entry.payee || entry.channel || entry.kind, LONGEST_NAME);
      return [
        `<STMTTRN><TRNTYPE>${amount > 0 ? 'CREDIT' : 'DEBIT'}<DTPOSTED>${moment(entry.date)}`,
        `<TRNAMT>${decimalText(amount, balance.currency)}<FITID>${id}`,
        `<NAME>${escaped(name)}<MEMO>${escaped(oneLine(`${entry.id} ${memo}`, LONGEST_MEMO))}</STMTTRN>\n`,
      ].join('');
    })
    .join('');
}

/**
 * Returns noon in Greenwich. In most zones it is the same day; midnight is the day before in every zone west of
 * Greenwich.
 */
function moment(date: PlainDate): string {
  return `${digitsOf(date)}120000`;
}

/** Returns the account id for importing programs. */
function accountId(account: AccountName, currency: Currency): string {
  const own = `${shortName(account)}-${currency}`;
  if (own.length <= LONGEST_ACCOUNT) return own;
  const hash = accountHash(account, currency);
  return `${cutOff(own, LONGEST_ACCOUNT - hash.length - 1)}-${hash}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
