import { stringify } from 'yaml';
import { isSame } from '../../contract/dialect/differences.ts';
import type { Config } from '../../config.ts';
import { isEmpty, type Proposal, proposalOf } from '../../client/survey/proposal.ts';
import { type NamedProfile, NoSurvey, type OperationFinding, survey, type Survey } from '../../client/survey/survey.ts';
import { dateIn } from '../../kernel/dates.ts';
import type { Clock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { loadProfile, profileFiles, sourceOf } from './profiles.ts';
import { version } from '../version.ts';

export interface CheckOptions {
  readonly config: Config;
  readonly url: string;
  readonly token: string;
  /** The profile to use; undefined for the best match. */
  readonly profile: string | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The answers of a deployment, and a proposal for a profile that understands more of them. */
export interface CheckReport {
  readonly url: string;
  readonly profile: string;
  readonly operations: readonly OperationReport[];
  readonly unknown_words: readonly string[];
  /** True if the profile lacks the additions of the proposal. */
  readonly needs_proposal: boolean;
  /** A profile as YAML: the best match with the missing parts. */
  readonly proposal: string;
}

export interface OperationReport {
  readonly operation: string;
  readonly state: 'fits' | 'differs' | 'refused' | 'not_asked';
  readonly rows: number | null;
  /** The reason for a refusal or for no request. */
  readonly says: string | null;
  readonly missing: readonly string[];
  readonly nulls: readonly string[];
  readonly other_types: readonly string[];
  readonly unknown_fields: readonly string[];
  readonly unknown_words: readonly string[];
}

/**
 * Calls each read operation of a deployment once.
 * @throws OperatorError if nothing answers, another service answers, or the token is refused
 */
export async function checkProfile(options: CheckOptions): Promise<CheckReport> {
  const { config, url } = options;
  const { found, known } = await askProfiles(options);
  const proposal = proposalOf(found, known);
  return {
    url,
    profile: found.best.name,
    operations: found.findings.map(reportOf),
    unknown_words: proposal.unknownWords,
    needs_proposal: !isEmpty(proposal),
    proposal: proposalText(config, found, proposal),
  };
}

/**
 * Calls each read operation and reads the answers by the best profile.
 * @returns the answers with all profiles of other deployments
 * @throws OperatorError as {@link checkProfile}
 */
export async function askProfiles({ config, url, token, profile, clock, signal }: CheckOptions) {
  const all = profileFiles(config).map(({ name }) => named(config, name));
  const tried = profile === undefined ? all : [named(config, profile)];
  const today = dateIn('UTC', clock.now());
  let found: Survey;
  try {
    found = await survey({ url, token, profiles: tried, today, userAgent: userAgent(), signal });
  } catch (error) {
    if (error instanceof NoSurvey) throw new OperatorError(error.message, error.hint, error);
    throw error;
  }
  return { found, known: [...tried, ...all] };
}

/** Returns the name that stayd sends with its requests. */
export function userAgent(): string {
  return `stayd/${version()}`;
}

function named(config: Config, name: string): NamedProfile {
  return { name, profile: loadProfile(config, name) };
}

function reportOf({ operation, rows, failed, skipped, differences }: OperationFinding): OperationReport {
  const paths = (list: readonly { path: string; rows: number; of: number }[] = []) =>
    list.map(({ path, rows: met, of }) => (met === of ? path : `${path} (${met} of ${of})`));
  const same = differences === undefined || isSame(differences);
  const state = skipped !== null ? 'not_asked' : failed ? 'refused' : same ? 'fits' : 'differs';
  return {
    operation,
    state,
    rows,
    says: skipped ?? (failed && `${failed.code === 0 ? '' : `${failed.code} `}${failed.says}`),
    missing: paths(differences?.missing),
    nulls: paths(differences?.nulls),
    other_types: paths(differences?.otherTypes),
    unknown_fields: paths(differences?.unknownFields),
    unknown_words: (differences?.unknownWords ?? []).map(({ path, word }) => `${path}: ${word}`),
  };
}

interface Written {
  words?: Partial<Record<string, Record<string, unknown>>>;
  fields?: Record<string, Record<string, unknown>>;
  [key: string]: unknown;
}

/** Renders the best profile as in its file, with the missing parts. */
function proposalText(config: Config, { best, findings }: Survey, { fields, words, unknownWords }: Proposal): string {
  const { serving: _, ...base } = sourceOf(config, best.name) as Written;
  const joined = (own: Written['fields'] = {}, more: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
    Object.fromEntries(
      [...new Set([...Object.keys(own), ...Object.keys(more)])].map((name) => [name, { ...more[name], ...own[name] }]),
    );
  const profile: Written = {
    ...base,
    note: `Proposed by stayd profile check, from ${best.name}; look at it before you use it.`,
    words: joined(base.words as Written['fields'], words as Record<string, Record<string, string>>),
    fields: joined(base.fields, fields),
  };
  const absent = findings.filter(({ failed }) => failed?.code === 404 || failed?.code === 420);
  const remarks = [
    ...absent.map(({ operation, failed }) => `# ${operation} is refused there: ${failed?.code}`),
    ...(unknownWords.length > 0 ? [`# Passed on as they are: ${unknownWords.join(', ')}`] : []),
  ];
  return [...remarks, stringify(profile)].join('\n');
}
