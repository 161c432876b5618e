import type { AutomationSettings } from '../../../src/automations/context.ts';

/** Answers and messages about stays with a text of their own each, so that a second one of any kind would show. */
export const RULES = `
name: answer
state: live
when: message from guest
max_turns: 20
max_per_hour: 10000
cancel_if_host_replied: false
do:
  message: { text: "Answer to {{ message.text }}" }
---
name: welcome
state: live
when: 2 minutes after booking
max_per_hour: 10000
do:
  message: { text: "Welcome, booking {{ stay.reservation_code }}" }
---
name: reminder
state: live
when: 9 minutes after booking
max_per_hour: 10000
do:
  message: { text: "Do not forget booking {{ stay.reservation_code }}" }
---
name: turnover
state: live
when: 1 minute after booking
max_per_hour: 10000
do:
  task: { type: cleaning, on: check_out }
`;

/** What each rule says to a stay, and what it says to a message. */
export const STAY_TEXTS: Readonly<Record<string, (code: string) => string>> = {
  welcome: (code) => `Welcome, booking ${code}`,
  reminder: (code) => `Do not forget booking ${code}`,
};
export const answerTo = (content: string) => `Answer to ${content}`;

export const SETTINGS: AutomationSettings = {
  quiet: null,
  usual: { check_in: '15:00', check_out: '11:00' },
  language: 'en',
  paidByChannel: [],
  secretFields: [],
  hooks: {},
  ai: null,
};
