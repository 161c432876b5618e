import type { Account, AccountName, Journal } from '../../journal/entry.ts';
import { oneLine } from './text.ts';

/** Returns the accounts of a journal by name. */
export function accountsByName({ accounts }: Journal): ReadonlyMap<AccountName, Account> {
  return new Map(accounts.map((account) => [account.name, account]));
}

/** Returns the codes of a journal's properties by id. */
export function propertyCodes({ properties }: Journal): ReadonlyMap<number, string> {
  return new Map(properties.map(({ id, code }) => [id, code]));
}

/**
 * Returns titles such as `P101 Sea View`. The code comes first because two properties may have one name. It has no `:`,
 * which would make levels.
 */
export function propertyTitles({ properties }: Journal, longest: number): ReadonlyMap<number, string> {
  return new Map(
    properties.map(({ id, code, name }) => [id, oneLine(`${code} ${name}`.replaceAll(':', ' '), longest)]),
  );
}
