import { channelTypes } from '../../contract/channelAccounts.ts';
import { type Dialect, dialectOfCaller } from '../../contract/dialect/dialect.ts';
import { type Differences, differencesOf } from '../../contract/dialect/differences.ts';
import type { Profile } from '../../contract/dialect/profile.ts';
import { type OperationId, operations } from '../../contract/index.ts';
import { ALL_CHANNELS } from '../../contract/knowledgeBases.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { Fields } from '../fields.ts';
import { openPool } from '../transport.ts';
import { type Answered, askOnce, type Asker } from './askOnce.ts';
import { inAskingOrder, type Known, questionOf, readOperations } from './questions.ts';

/** A profile with the name that people use. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/** The answer of one operation. */
export interface OperationFinding {
  readonly operation: OperationId;
  /** Rows of its list; null if it has none. */
  readonly rows: number | null;
  /** The failure; null for a success. */
  readonly failed: { readonly code: number; readonly says: string } | null;
  /** The reason why it was not called; null if it was. */
  readonly skipped: string | null;
  /** undefined if there was nothing to compare. */
  readonly differences: Differences | undefined;
}

export interface Survey {
  /** The best match of the profiles that were tried. */
  readonly best: NamedProfile;
  readonly findings: readonly OperationFinding[];
  /** The account as the deployment describes it, in our words; null if it does not. */
  readonly account: Fields | null;
}

interface SurveyOptions extends Asker {
  /** Tried one after another; the first accepted ones are compared. */
  readonly profiles: readonly NamedProfile[];
  readonly today: PlainDate;
}

/**
 * Thrown if the deployment cannot be surveyed with this token; `message` gives the reason in one sentence, `hint` the
 * remedy.
 */
export class NoSurvey extends Error {
  override readonly name = 'NoSurvey';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/**
 * The calls that select a profile: rows that name channels, rows whose fields differ, and, while there are no rows,
 * operations that some deployments lack.
 */
const TELLING = ['listProperties', 'listReservations', 'listListings', 'listChannelAccounts', 'getAccount'] as const;
const NOT_THERE = 404;
/** The weight of findings that count more than a field. */
const WEIGHT = { word: 3, operation: 5 };

const KNOWN_WORDS = { channel: [...channelTypes, ALL_CHANNELS] };

/**
 * Calls each read operation of a deployment once, and compares its answers with the contract as read by the best
 * profile. It changes nothing there, and writes nothing here.
 * @throws NoSurvey if nothing answers, another service answers, or the token is refused
 */
export async function survey(options: SurveyOptions): Promise<Survey> {
  const pool = openPool(options.url);
  const ask: Ask = (dialect, id, input) => {
    // A safeguard, independent of the lists above.
    if (operations[id].scope !== 'read') throw new Error(`${id} does more than read`);
    return askOnce(options, pool, dialect, { id, input });
  };
  try {
    const admitted = await admittedProfile(options, ask);
    const telling = new Map<OperationId, Answered>([['listProperties', admitted.properties]]);
    const first = dialectOfCaller(admitted.profile.profile);
    for (const id of TELLING) {
      if (telling.has(id)) continue;
      const question = questionOf(id, { known: new Map(), today: options.today });
      if ('input' in question) telling.set(id, await ask(first, id, question.input));
    }
    const best = bestOf(options.profiles, admitted.profile, telling);
    return { best, ...(await askAll(options, { best, telling, ask })) };
  } finally {
    await pool.destroy();
  }
}

type Ask = (dialect: Dialect, id: OperationId, input: Fields) => Promise<Answered>;

/** Finds the first profile whose base path and header are accepted. */
async function admittedProfile({ url, profiles }: SurveyOptions, ask: Ask) {
  let last: { code: number; says: string } | undefined;
  for (const profile of profiles) {
    const dialect = dialectOfCaller(profile.profile);
    const properties = await ask(dialect, 'listProperties', { offset: 0, limit: 100 });
    if (!properties.failed) return { profile, properties };
    // A refused token says more than a missing path.
    if (!last || properties.failed.code === 401) last = properties.failed;
    if (properties.failed.code === 0) break;
  }
  const refusal = last ?? { code: 0, says: 'there is no profile to try' };
  throw new NoSurvey(refusalText(url, refusal), hintOf(url, refusal));
}

/** The TLS error for a server without encryption. */
const NOT_ENCRYPTED = /wrong version number|packet length too long/i;

function isPlainHttp(url: string, says: string): boolean {
  return url.startsWith('https:') && NOT_ENCRYPTED.test(says);
}

function hintOf(url: string, { code, says }: { code: number; says: string }): string | undefined {
  if (code === 401) {
    return 'an access token of its API is needed, copied whole: no password, no secret of a webhook, no refresh token';
  }
  if (code === 420) return 'the token may be right; whoever owns the account has to see to the subscription';
  if (isPlainHttp(url, says)) return 'does it speak http:// there?';
  return code === 0 || code === 404
    ? 'the address that its API documentation names is meant, not that of a page'
    : undefined;
}

function refusalText(url: string, { code, says }: { code: number; says: string }): string {
  if (code === 401) return `${url} answers, and does not take this token: ${says}`;
  if (code === 420) return `${url} knows the account, and its subscription does not allow this: ${says}`;
  if (code === 429) return `${url} has been asked too often with this token: ${says}; try again later`;
  if (code === 404) return `${url} answers, and has no properties there: ${says}; is it the right address?`;
  if (isPlainHttp(url, says)) return `${url} does not answer in an encrypted way`;
  return code === 0
    ? `${url} does not answer like such a service: ${says}`
    : `${url} refuses to be asked: ${code} ${says}`;
}

/** Returns the profile with the fewest differences; among equals the accepted one. */
function bestOf(
  profiles: readonly NamedProfile[],
  admitted: NamedProfile,
  telling: ReadonlyMap<OperationId, Answered>,
): NamedProfile {
  const marks = [admitted, ...profiles.filter((one) => one !== admitted)].map((one) => {
    const dialect = dialectOfCaller(one.profile);
    const mark = [...telling].reduce((sum, [id, answered]) => sum + markOf(dialect, id, answered), 0);
    return { one, mark };
  });
  const header = (one: NamedProfile) => (one.profile.token_header === admitted.profile.token_header ? 0 : 1);
  return (
    marks.toSorted((a, b) => a.mark - b.mark || header(a.one) - header(b.one)).map(({ one }) => one)[0] ?? admitted
  );
}

/** Rates the distance of an answer from the expectations of a dialect. */
function markOf(dialect: Dialect, id: OperationId, { data, failed }: Answered): number {
  if ((failed?.code === NOT_THERE) !== dialect.profile.absent.includes(id)) return WEIGHT.operation;
  const differences = understood(dialect, id, data);
  if (!differences) return 0;
  const { missing, unknownFields, unknownWords } = differences;
  return missing.length + unknownFields.length + WEIGHT.word * unknownWords.length;
}

async function askAll(
  { today, signal }: SurveyOptions,
  { best, telling, ask }: { best: NamedProfile; telling: ReadonlyMap<OperationId, Answered>; ask: Ask },
): Promise<Omit<Survey, 'best'>> {
  const dialect = dialectOfCaller(best.profile);
  const known = new Map<string, readonly Fields[]>();
  let account: Fields | null = null;
  const findings: OperationFinding[] = [];
  for (const operation of inAskingOrder(readOperations)) {
    signal.throwIfAborted();
    const question = questionOf(operation, { known, today });
    if ('skipped' in question) {
      findings.push({ operation, rows: null, failed: null, skipped: question.skipped, differences: undefined });
      continue;
    }
    const { data, failed } = telling.get(operation) ?? (await ask(dialect, operation, question.input));
    const differences = failed ? undefined : understood(dialect, operation, data);
    const ours = inOurs(dialect, operation, data);
    if (operation === 'getAccount' && isFields(ours)) account = ours;
    const rows = remember(known, ours);
    findings.push({ operation, rows, failed, skipped: null, differences });
  }
  return { findings, account };
}

/** Stores the rows of a list under its name. @returns their number; null if there is no list */
function remember(known: Map<string, readonly Fields[]> & Known, data: unknown): number | null {
  if (!isFields(data)) return null;
  const list = Object.entries(data).find((entry): entry is [string, Fields[]] => Array.isArray(entry[1]));
  if (!list) return null;
  const [name, rows] = list;
  if (!known.has(name)) known.set(name, rows);
  return rows.length;
}

function isFields(data: unknown): data is Fields {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function understood(dialect: Dialect, id: OperationId, data: unknown): Differences | undefined {
  if (data === undefined || data === null) return undefined;
  return differencesOf(operations[id].data, inOurs(dialect, id, data), KNOWN_WORDS);
}

function inOurs(dialect: Dialect, id: OperationId, data: unknown): unknown {
  const copy = structuredClone(data);
  return dialect.operations[id].data?.(copy) ?? copy;
}
