import type { AutomationPorts } from './automation/ports.ts';
import { conversationOfReservation } from './conversations/ofReservation.ts';
import { sendToGuest } from './conversations/send.ts';
import { postReview } from './reviews/post.ts';

/** Source of a message that automation wrote. */
const AUTOMATION_REPLY = 'automation_reply';

/** The connection of automation to messages and reviews. No other code joins them. */
export const automationPorts: AutomationPorts = {
  async sendMessage(change, { stay, content, rule }) {
    const conversation = await conversationOfReservation(change, stay);
    const doc = { title: rule.name, fragment: [content], source_type: AUTOMATION_REPLY, link_id: String(rule.id) };
    await sendToGuest(change, conversation, {
      content,
      sources: [{ type: AUTOMATION_REPLY, docs: [doc] }],
      automatic: true,
    });
  },
  async postReview(change, { stay, ...words }) {
    await postReview(change, stay.reservation_code, words);
  },
};
