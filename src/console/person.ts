import type { AccountId } from '../kernel/ids.ts';
import type { Role } from './access.ts';

/** The person who looks at a page. */
export interface Person {
  /** Name of the account. */
  readonly account: string;
  readonly accountId: AccountId;
  readonly operatorId: number;
  readonly name: string;
  readonly role: Role;
  /** Ids of the properties that the person sees; null: all. */
  readonly properties: readonly number[] | null;
  /** Names this browser's session among the person's. */
  readonly sessionId: string;
}
