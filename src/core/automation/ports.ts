import type { Change } from '../context.ts';
import type { StayRow } from '../database.ts';
import type { AutomationRuleRow } from '../workTables.ts';
import type { ActionOf } from './actions.ts';

/** A message to the guest of a stay, and the rule by which it is sent. */
export interface AutomationMessage {
  stay: StayRow;
  content: string;
  rule: Pick<AutomationRuleRow, 'id' | 'name'>;
}

/** A review of the guest of a stay. */
export interface AutomationReview extends ActionOf<'review'> {
  stay: StayRow;
}

/**
 * What automation has done elsewhere. Each writes within the change it is given, with its events, so that what is done
 * and that it is done commit together: what goes out to a channel goes out after that.
 * @throws ApiError below 500 when it can never succeed, 500 and up when it may later
 */
export interface AutomationPorts {
  sendMessage(change: Change, message: AutomationMessage): Promise<void>;
  postReview(change: Change, review: AutomationReview): Promise<void>;
}
