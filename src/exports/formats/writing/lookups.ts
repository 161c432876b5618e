import type { Account, AccountName, Journal } from '../../journal/entry.ts';
import { oneLine } from './text.ts';

export function accountsByName({ accounts }: Journal): ReadonlyMap<AccountName, Account> {
  return new Map(accounts.map((account) => [account.name, account]));
}

export function propertyCodes({ properties }: Journal): ReadonlyMap<number, string> {
  return new Map(properties.map(({ id, code }) => [id, code]));
}

/** `P101 Sea View`: the code before it, since two properties may have one name. `:` would make levels of it. */
export function propertyTitles({ properties }: Journal, longest: number): ReadonlyMap<number, string> {
  return new Map(
    properties.map(({ id, code, name }) => [id, oneLine(`${code} ${name}`.replaceAll(':', ' '), longest)]),
  );
}
