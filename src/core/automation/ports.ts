import type { Change } from '../context.ts';
import type { StayRow } from '../database.ts';
import type { AutomationRuleRow } from '../workTables.ts';
import type { ActionOf } from './actions.ts';

/** A message to the guest of a stay, with the rule that sends it. */
interface AutomationMessage {
  stay: StayRow;
  content: string;
  rule: Pick<AutomationRuleRow, 'id' | 'name'>;
}

/** A review of the guest of a stay. */
interface AutomationReview extends ActionOf<'review'> {
  stay: StayRow;
}

/**
 * Actions of automation on other parts of the core. Each writes within the given change, with its events, so that the
 * action and the record of it commit together. Posts to channels go out afterwards.
 * @throws ApiError below 500 when the action can never succeed, 500 and up when it may succeed later
 */
export interface AutomationPorts {
  sendMessage(change: Change, message: AutomationMessage): Promise<void>;
  postReview(change: Change, review: AutomationReview): Promise<void>;
}
