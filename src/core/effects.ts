import { ApiError } from '../kernel/errors.ts';
import type { AutomationPorts } from './automation/ports.ts';

/** How automation reaches guests: the one place where it meets messaging and reviews. */
export const automationPorts: AutomationPorts = {
  async sendMessage() {
    throw new ApiError(501, 'Messages to guests are not served by this deployment.');
  },
  async postReview() {
    throw new ApiError(501, 'Reviews are not served by this deployment.');
  },
};
