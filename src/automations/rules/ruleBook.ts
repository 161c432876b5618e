import type { Instant } from '../../kernel/dates.ts';
import type { Mistake } from './readRules.ts';
import type { Rule } from './rule.ts';

/** A valid rule with its stored state. */
export interface LoadedRule extends Rule {
  version: number;
  armed_seq: number;
  armed_at: Instant;
}

/**
 * Returns true for a time before the rule was armed. Most times of the API are whole seconds. The second of the arming
 * counts as later, so a guest who writes in it still gets an answer.
 */
export function isBeforeArmed(rule: LoadedRule, at: Instant): boolean {
  return toSecond(at) < toSecond(rule.armed_at);
}

function toSecond(at: Instant): string {
  return at.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
}

/** The current rules of one connection. */
export interface RuleBook {
  readonly rules: readonly LoadedRule[];
  readonly mistakes: readonly Mistake[];
  rule(name: string): LoadedRule | undefined;
  /** Returns true if the rule is in a file, but with a mistake. */
  isBroken(name: string): boolean;
  replace(rules: readonly LoadedRule[], mistakes: readonly Mistake[]): void;
}

export function openRuleBook(): RuleBook {
  let byName = new Map<string, LoadedRule>();
  let broken: readonly Mistake[] = [];
  return {
    get rules() {
      return [...byName.values()];
    },
    get mistakes() {
      return broken;
    },
    rule: (name) => byName.get(name),
    isBroken: (name) => broken.some(({ rule }) => rule === name),
    replace(rules, mistakes) {
      byName = new Map(rules.map((one) => [one.name, one]));
      broken = mistakes;
    },
  };
}
