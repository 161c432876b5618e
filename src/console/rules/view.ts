import type { ConnectionStatus } from '../../client/status.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { askFirst, choiceField, actionForm, hiddenFields, typed } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Plan } from '../inbox/drafts.ts';
import type { Visit } from '../visit.ts';
import type { LogEntry, Mistake, Recipe, RuleRow } from './answers.ts';
import { lateRefusal, logPart, plansPart, ruleLink, stateMark } from './parts.ts';
import type { RulesQuestion } from './question.ts';

interface All {
  rules: readonly RuleRow[];
  mistakes: readonly (Mistake & { file: string })[];
  plans: readonly Plan[];
  log: readonly LogEntry[];
  recipes: readonly Recipe[];
  automations: ConnectionStatus['automations'];
}

/** Shows all rules: what each is at, what they will do, what they did, and recipes for new ones. */
export function rulesView(visit: Visit, asked: RulesQuestion, all: All): Html {
  const { rules, mistakes, plans, log, recipes, automations } = all;
  const words = visit.texts.rules;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p><a href="${visit.address('rules', { new: 'file' })}">${words.newFile}</a></p>
    </header>
    ${lateRefusal(visit, plans)} ${armedPart(visit, automations)}
    ${
      mistakes.length === 0
        ? ''
        : html`<section class="note" aria-labelledby="wrong">
            <h2 id="wrong">${words.mistakes(mistakes.length)}</h2>
            <ul>
              ${mistakes.map(
                ({ file, line, path, problem }) =>
                  html`<li>
                    <a href="${visit.address('rules', { file })}">${words.atLine(file, line)}</a> ${path} ${problem}
                  </li>`,
              )}
            </ul>
          </section>`
    }
    ${rulesPart(visit, rules, recipes)} ${plansPart(visit, plans, false)} ${logPart(visit, asked, log)}
    ${recipesPart(visit, recipes, rules)}`;
}

/** Says if rules act at all, with the switch for all of them at once. */
function armedPart(visit: Visit, { armed, since, because }: All['automations']): Html {
  const { texts, format } = visit;
  const words = texts.rules;
  const mayChange = visit.may('rules.change');
  const page = 'rules';
  if (armed) {
    if (!mayChange) return html`<p class="dim">${words.armed}</p>`;
    const ask = { open: words.disarm, consequence: words.disarmHint, confirm: words.disarmReally };
    return html`<div class="actions">
      <span class="good">${words.armed}</span> ${askFirst(visit, { page, action: 'disarm', ...ask })}
    </div>`;
  }
  const why = words.disarmed(since === null ? '' : format.moment(since), because ?? '');
  const ask = { open: words.arm, consequence: words.armHint, confirm: words.armReally };
  return html`<p class="bad" role="status">${why}</p>
    ${mayChange ? askFirst(visit, { page, action: 'arm', ...ask }) : ''}`;
}

function rulesPart(visit: Visit, rules: readonly RuleRow[], recipes: readonly Recipe[]): Html {
  const words = visit.texts.rules;
  /** A rule that still says what its recipe said is described in the reader's language. */
  const aboutOf = ({ rule, about }: RuleRow) =>
    recipes.some((one) => one.name === rule && one.about === about) ? (words.recipeTexts[rule] ?? about) : about;
  if (rules.length === 0) return section('rules', words.rules, '', html`<p class="dim">${words.noRules}</p>`);
  const rows = rules.map((rule) => [
    html`${ruleLink(visit, rule.rule)}${rule.about === null ? '' : html`<br /><span class="dim">${aboutOf(rule) ?? ''}</span>`}`,
    html`<a href="${visit.address('rules', { file: rule.file })}">${words.editFile(rule.file)}</a>`,
    stateMark(visit, rule),
    rule.when ?? '',
    rule.action ?? '',
    plansText(visit, rule),
  ]);
  return section(
    'rules',
    words.rules,
    '',
    table([words.rule, words.file, words.state, words.trigger, words.what, words.planCounts], rows),
  );
}

function plansText({ texts, format }: Visit, { plans }: RuleRow): string {
  const { planStates } = texts.rules;
  return Object.entries(plans)
    .map(([state, count]) => `${format.count(count)} ${planStates[state] ?? state}`)
    .join(', ');
}

function recipesPart(visit: Visit, recipes: readonly Recipe[], rules: readonly RuleRow[]): Html {
  const words = visit.texts.rules;
  const there = new Set(rules.map(({ rule }) => rule));
  const rows = recipes.map((recipe) => [
    html`${recipe.name}`,
    html`<div>
      ${words.recipeTexts[recipe.name] ?? recipe.about ?? ''}
      <details>
        <summary>${words.fileText}</summary>
        <pre class="code">${recipe.text}</pre>
      </details>
    </div>`,
    recipe.action,
    there.has(recipe.name) ? html`<span class="dim">${words.isThere}</span>` : recipeForm(visit, recipe),
  ]);
  return html`<details class="recipes" ${visit.refused?.action === 'recipe' || rules.length === 0 ? 'open' : ''}>
    <summary><h2>${words.recipes}</h2></summary>
    <p class="dim">${words.recipesHint}</p>
    <section aria-label="${words.recipes}">
      ${table([words.recipe, words.about, words.what, words.switchOn], rows)}
    </section>
  </details>`;
}

function recipeForm(visit: Visit, { name }: Recipe): Html {
  if (!visit.may('rules.change')) return html``;
  const words = visit.texts.rules;
  const own = visit.refused?.fields['recipe'] === name ? visit : { ...visit, refused: undefined };
  const options = ['test', 'live', 'draft'].map((state) => ({ value: state, text: words.stateHints[state] ?? state }));
  return actionForm(
    own,
    { page: 'rules', action: 'recipe', label: words.switchOnOne(name) },
    html`${hiddenFields({ recipe: name })}
      ${choiceField({
        name: 'state',
        label: words.state,
        options,
        chosen: typed(own, 'recipe', 'state', 'test'),
        of: `recipe-${name}-`,
      })} <button type="submit" class="second">${words.switchOn}</button>`,
  );
}
