import type { Change } from '../context.ts';
import type { StayRow } from '../database.ts';

/** A message to the guest of a stay. */
export interface AutomationMessage {
  stay: StayRow;
  content: string;
}

/** A review of the guest of a stay. */
export interface AutomationReview {
  stay: StayRow;
  host_review_score?: number | undefined;
  host_review_content?: string | undefined;
  category_ratings?: Readonly<Record<string, number | undefined>> | undefined;
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
