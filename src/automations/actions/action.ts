import type { CallOptions } from '../../client/client.ts';
import type { Automating } from '../context.ts';
import type { Facts } from '../facts/facts.ts';
import type { FreshStay } from '../perform/freshStay.ts';
import type { FreshConversation } from '../perform/conversation.ts';
import type { Plan } from '../plans/table.ts';
import type { ActionName, ActionOf } from '../rules/actions.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import type { Scope } from '../templates.ts';

/** All that is known when a plan is carried out. */
export interface ActionContext<Name extends ActionName = ActionName> {
  context: Automating;
  plan: Plan;
  rule: LoadedRule;
  spec: ActionOf<Name>['with'];
  fresh: FreshStay | null;
  conversation: FreshConversation | null;
  facts: Facts;
  /** What templates may name. */
  scope: Scope;
  language: string | undefined;
  /** What a person has approved, perhaps with other words. */
  approvedText: string | undefined;
}

/** Given to every call to the outside: commits that it begins, or throws why it must not. */
export type CallGuard = Pick<CallOptions, 'purpose' | 'signal' | 'beforeSend'>;

/** Something ready to be done. */
export interface Prepared {
  /** What people see of it. */
  text: string;
  /** What is about to be done, where it must be known however the call ends: written down with the beginning of the call. */
  intent?: object;
  /** Does it. @returns what is kept of it: ids of what was made */
  run(guard: CallGuard): Promise<object | void>;
}

/** One kind of action. */
export interface Action<Name extends ActionName> {
  /** Done twice it is as if done once. */
  isRepeatable(plan: Pick<Plan, 'result'>): boolean;
  /** It speaks in a conversation. */
  readonly speaks: boolean;
  /** It asks the conditions of the rule itself, of each listing that it acts on. */
  readonly asksConditions?: true;
  /** It looks at the review of the booking. */
  readonly readsReview?: true;
  /** What a dry run says of it, where it is not the words of a message. */
  outline?(spec: ActionOf<Name>['with']): string;
  /** Throws Stopped or MissingValue when it cannot be done. */
  prepare(actionContext: ActionContext<Name>): Promise<Prepared> | Prepared;
  /** Looks whether a call without an outcome was heard. undefined: it was not. Throws CallError when nobody can say. */
  find?(context: Automating, plan: Plan): Promise<object | undefined>;
}
