import type { CallOptions } from '../../client/client.ts';
import type { Automating } from '../context.ts';
import type { Facts } from '../facts/facts.ts';
import type { FreshStay } from '../perform/freshStay.ts';
import type { FreshConversation } from '../perform/conversation.ts';
import type { Plan } from '../plans/table.ts';
import type { ActionName, ActionOf } from '../rules/actions.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import type { Scope } from '../../kernel/markup/templates.ts';

/** Everything known when a plan is carried out. */
export interface ActionContext<Name extends ActionName = ActionName> {
  context: Automating;
  plan: Plan;
  rule: LoadedRule;
  spec: ActionOf<Name>['with'];
  fresh: FreshStay | null;
  conversation: FreshConversation | null;
  facts: Facts;
  /** Values for templates. */
  scope: Scope;
  language: string | undefined;
  /** The text that a person approved, possibly edited. */
  approvedText: string | undefined;
}

/** Options of every outgoing call. `beforeSend` commits the beginning of the call, or throws the reason against it. */
export type CallGuard = Pick<CallOptions, 'purpose' | 'signal' | 'beforeSend'>;

/** An action that is ready to run. */
export interface Prepared {
  /** Its description for people. */
  text: string;
  /** Data that must survive any end of the call; stored together with its beginning. */
  intent?: object;
  /**
   * Carries the action out.
   * @returns data to store, such as ids of created objects
   */
  run(guard: CallGuard): Promise<object | void>;
}

/** One kind of action. */
export interface Action<Name extends ActionName> {
  /** Returns true if a second call has no further effect. */
  isRepeatable(plan: Pick<Plan, 'result'>): boolean;
  /** True if it speaks in a conversation. */
  readonly speaks: boolean;
  /** Set if it checks the rule's conditions itself, for each listing that it acts on. */
  readonly asksConditions?: true;
  /** Set if it reads the review of the reservation. */
  readonly readsReview?: true;
  /** Returns its description for a dry run, unless that is the text of a message. */
  outline?(spec: ActionOf<Name>['with']): string;
  /** Throws Stopped or MissingValue if the action cannot be done. */
  prepare(actionContext: ActionContext<Name>): Promise<Prepared> | Prepared;
  /**
   * Looks for the effect of a call without an outcome. Returns undefined if the call had none. Throws CallError if that
   * cannot be found out.
   */
  find?(context: Automating, plan: Plan): Promise<object | undefined>;
}
