import { mayWrite, type Writing } from '../../client/survey/mayWrite.ts';
import type { OperationFinding } from '../../client/survey/survey.ts';
import type { OperationId } from '../../contract/index.ts';
import { isTimeZone } from '../../kernel/dates.ts';
import { isCurrency } from '../../kernel/money.ts';
import { askProfiles, type CheckOptions, userAgent } from '../profiles/profileCheck.ts';

/** What a deployment shows to whoever comes with a token for the first time. */
export interface FirstContact {
  readonly profile: string;
  /** What it tells of the account; each null where it does not. */
  readonly account: {
    readonly name: string | null;
    readonly time_zone: string | null;
    readonly currency: string | null;
  };
  /** Operations that it refuses, and how. */
  readonly refused: readonly { readonly operation: OperationId; readonly says: string }[];
  readonly writing: Writing;
  /** Operations whose answers hold something that the profile does not know. */
  readonly unknown: readonly OperationId[];
}

/**
 * Asks each read operation once and tries whether the token may do more. Nothing is changed there.
 * @throws OperatorError where nobody, somebody else, or nobody who knows the token answers
 */
export async function firstContact(options: CheckOptions): Promise<FirstContact> {
  const { found } = await askProfiles(options);
  const { best, findings, account } = found;
  const writing = await mayWrite({ ...options, userAgent: userAgent() }, best.profile);
  return {
    profile: options.profile ?? best.name,
    account: {
      name: textIn(account?.['name']),
      time_zone: textIn(account?.['time_zone'], isTimeZone),
      currency: textIn(account?.['currency'], isCurrency),
    },
    refused: findings.flatMap((one) => refusalOf(one, best.profile.absent)),
    writing,
    unknown: findings
      .filter(
        ({ differences }) => differences && differences.unknownFields.length + differences.unknownWords.length > 0,
      )
      .map(({ operation }) => operation),
  };
}

function refusalOf({ operation, failed }: OperationFinding, absent: readonly OperationId[]) {
  return failed && !absent.includes(operation) ? [{ operation, says: `${failed.code} ${failed.says}`.trim() }] : [];
}

function textIn(value: unknown, fits: (text: string) => boolean = () => true): string | null {
  return typeof value === 'string' && value !== '' && fits(value) ? value : null;
}
