import { mayWrite, type Writing } from '../../client/survey/mayWrite.ts';
import type { OperationFinding } from '../../client/survey/survey.ts';
import type { OperationId } from '../../contract/index.ts';
import { isTimeZone } from '../../kernel/dates.ts';
import { isCurrency } from '../../kernel/money.ts';
import { askProfiles, type CheckOptions, userAgent } from '../profiles/profileCheck.ts';

/** The first view of a deployment with a token. */
export interface FirstContact {
  readonly profile: string;
  /** Facts about the account; each null if the deployment does not supply it. */
  readonly account: {
    readonly name: string | null;
    readonly time_zone: string | null;
    readonly currency: string | null;
  };
  /** Refused operations, with the text of the refusal. */
  readonly refused: readonly { readonly operation: OperationId; readonly says: string }[];
  readonly writing: Writing;
  /** Operations whose answers contain something that the profile does not know. */
  readonly unknown: readonly OperationId[];
}

/**
 * Calls each read operation once, and tests if the token may write. It changes nothing.
 * @throws OperatorError if nothing answers, another service answers, or the token is refused
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
