import { actionNames } from '../../automations/rules/actions.ts';
import { conditionList } from '../../automations/rules/conditions.ts';
import { triggerExamples } from '../../automations/rules/trigger.ts';

/** Returns the words of rules for the help text: conditions, actions and times. */
export function ruleWords(): string {
  const widest = Math.max(...conditionList().map(({ name }) => name.length));
  return [
    '\nA rule acts when:',
    ...triggerExamples.map((one) => `  ${one}`),
    '\nif all of these hold that it names:',
    ...conditionList().map(({ name, text }) => `  ${name.padEnd(widest)}  ${text}`),
    `\nand does one or several of: ${actionNames.join(', ')}.`,
    '\nSee docs/automations.md.',
  ].join('\n');
}
