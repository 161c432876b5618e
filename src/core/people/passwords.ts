import { invalid } from '../../kernel/errors.ts';

const SHORTEST = 12;
const FEWEST_CHARACTERS = 5;

/** @throws ApiError 422 for a password that is easy to guess */
export async function requireGoodPassword(password: string, login: string): Promise<void> {
  if (password.length < SHORTEST) throw invalid('password', `must have at least ${SHORTEST} characters`);
  if (password.toLowerCase().includes(login)) throw invalid('password', 'must not contain the login');
  if (new Set(password).size < FEWEST_CHARACTERS) {
    throw invalid('password', `must have at least ${FEWEST_CHARACTERS} different characters`);
  }
  if (isCommon(password, await commonPasswords())) {
    throw invalid('password', 'is one of those that are tried first: take several words that do not belong together');
  }
}

/**
 * Returns true if a password is in the list, by itself or with the usual extensions: digits and signs before and after
 * it, or a repetition.
 */
export function isCommon(password: string, common: ReadonlySet<string>): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const letters = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [text, letters, periodOf(text), letters.replaceAll(/[^\p{L}\p{N}]/gu, '')].some((one) => common.has(one));
}

/** Returns the shortest text whose repetition gives the text. */
function periodOf(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1));
}

let known: Promise<ReadonlySet<string>> | undefined;

/** Loads the list when a first password is chosen, since it takes a tenth of a second and some megabytes. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= import('./passwordList.ts').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return known;
}
