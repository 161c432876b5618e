/** Why something was not done, or not yet; what people read. */
export const reasons = {
  condition: 'a condition of the rule does not hold',
  stay_status: 'the stay is not in a state that the rule is about',
  stay_gone: 'the stay is not there any more',
  stay_changed: 'the stay has changed since this was planned; it is planned anew when the mirror knows',
  moved: 'the stay has other dates now',
  no_property: 'the stay lies in the reservation box and has no property',
  no_such_time: 'the stay has no such moment',
  task_gone: 'the task is not there any more',
  task_done: 'the task is completed or called off',
  task_moved: 'the task is expected on another day now',
  booked_too_late: 'the booking came after the time of this rule (if_past: skip)',
  before_armed: 'it was due, written or booked before the rule was armed',
  too_late: 'its time was over (not_after)',
  no_thread: 'there is no conversation with the guest',
  thread_gone: 'the conversation is not there any more',
  message_gone: 'the message is not there any more',
  not_from_guest: 'the message is not from a guest',
  answered: 'somebody of the host’s side has answered',
  answered_by_rule: 'another rule answers this message',
  superseded: 'the guest has written again, and the newer message goes first',
  echo: 'it is our own text coming back',
  already_said: 'the same text stands in the conversation',
  several_stays: 'the conversation is about several stays',
  too_many_turns: 'too many automatic replies in a row',
  upstream_plans: 'the other side plans a message of its own to this guest',
  quiet: 'it is the time of quiet hours',
  thread_limit: 'the conversation has had enough messages for now',
  not_paid: 'something is still to be paid, and the text holds a secret',
  not_identified: 'the guest must still show a document, and the text holds a secret',
  not_near: 'arrival is too far away for a text that holds a secret',
  missing: 'a value that the text needs is not known',
  draft: 'a person is to approve it',
  disarmed: 'automations are disarmed',
  paused: 'the rule is paused',
  rule_broken: 'the file of the rule has a mistake',
  rule_removed: 'the rule is gone',
  rule_draft: 'the rule is a draft',
  person: 'a person has taken it off',
  erased: 'the guest was erased',
  upstream: 'the other side could not be asked',
  refused: 'the other side refused it',
  uncertain: 'nobody knows whether it went out, and it is not found in the conversation',
  nothing_to_do: 'everything is so already',
  has_lock_code: 'the stay has a lock code',
  ai_off: 'no language model is configured',
  ai_topic: 'only a person answers this',
  ai_no_source: 'the knowledge base does not answer it',
  ai_budget: 'the language model has been asked as often as it may be in a day',
  ai_failed: 'the language model did not answer',
  ai_refused: 'what the language model wrote did not pass',
  out_of_bounds: 'it lies outside of what the rule allows',
} as const satisfies Record<string, string>;

export type Reason = keyof typeof reasons;

/** A reason for people, with what it is about. */
export function reasonText(reason: string | null, detail: string | null = null): string {
  if (reason === null) return '';
  const text: string = Object.hasOwn(reasons, reason) ? reasons[reason as Reason] : reason;
  return detail === null ? text : `${text}: ${detail}`;
}
