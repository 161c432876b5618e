import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { RuleFileServices, RuleMistake, ShownRecipe, ShownRuleFile } from '../../api/portal/route.ts';
import { knownBy, type ReadRules, readRules, type RuleFile } from '../../automations/rules/readRules.ts';
import type { Config } from '../../config.ts';
import { packageRoot } from '../../kernel/program/packageRoot.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { writeWhole } from '../stores/wholeFile.ts';

const RECIPES = join('config', 'automations', 'recipes');
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}\.ya?ml$/;

/** Reads the files of rules by name; a missing folder has none. */
export function readRuleFiles(config: Config): RuleFile[] {
  return filesIn(folderOf(config));
}

function folderOf({ automations: { rules } }: Config): string {
  return isAbsolute(rules) ? rules : join(packageRoot(), rules);
}

function filesIn(folder: string): RuleFile[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return names.toSorted().map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/**
 * Returns the operations on the files of rules. A file is replaced as a whole, only by one without a mistake, and only if
 * it is still the one that was read.
 * @param onWritten reads the files at once
 */
export function ruleFileServices(config: Config, onWritten: () => Promise<void>): RuleFileServices {
  const folder = folderOf(config);
  const read = (files: readonly RuleFile[]): ReadRules => {
    const { hooks, secret_fields: secretFields } = config.automations;
    const ai = config.ai.url === null || config.ai.model === null ? null : {};
    return readRules(files, knownBy({ hooks, secretFields, ai }));
  };
  // The file comes last, so that a name taken twice is its mistake.
  const mistakesIn = (file: RuleFile): RuleMistake[] =>
    read([...filesIn(folder).filter(({ name }) => name !== file.name), file])
      .mistakes.filter((one) => one.file === file.name)
      .map(({ line, rule, path, problem }) => ({ line, rule, path, problem }));
  const services: RuleFileServices = {
    list: () => filesIn(folder).map((file) => shown(file, read([file]), mistakesIn(file))),
    recipes: () => recipesIn(join(packageRoot(), RECIPES), read),
    check: (name, text) => mistakesIn({ name: checkedName(name), text }),
    async write({ name, text, version }) {
      const file = join(folder, checkedName(name));
      requireSame(file, version);
      const [mistake] = mistakesIn({ name, text });
      if (mistake) throw invalid('text', mistakeText(mistake));
      mkdirSync(folder, { recursive: true });
      writeWhole(file, [text.endsWith('\n') ? text : `${text}\n`]);
      await onWritten();
      const written = { name, text: readFileSync(file, 'utf8') };
      return shown(written, read([written]), []);
    },
    async addRecipe(rule, state) {
      const found = services.recipes().find(({ name }) => name === rule);
      if (!found) throw new ApiError(404, `rule: there is no recipe "${rule}"`, { field: 'rule' });
      const text = found.text.replace(/^state: .*$/m, `state: ${state}`);
      return services.write({ name: `${rule}.yaml`, text, version: null });
    },
  };
  return services;
}

function shown(file: RuleFile, { rules }: ReadRules, mistakes: readonly RuleMistake[]): ShownRuleFile {
  return { ...file, version: versionOf(file.text), rules: rules.map(({ name }) => name), mistakes };
}

function versionOf(text: string): string {
  return sha256Hex(text);
}

/** Formats a mistake for people. */
function mistakeText({ line, path, problem }: RuleMistake): string {
  return `line ${line}: ${path === '' ? '' : `${path} `}${problem}`;
}

/** @throws ApiError for a name that would lead out of the folder, or that is read by nobody */
function checkedName(name: string): string {
  if (FILE_NAME.test(name)) return name;
  throw invalid('file', 'must be letters, digits, dots and dashes, and end in .yaml');
}

/** @throws ApiError 409 if the file is not the one that the caller has read */
function requireSame(file: string, version: string | null): void {
  if (!existsSync(file)) {
    if (version === null) return;
    throw new ApiError(409, 'file: it is gone by now; copy your text and make a new one', { field: 'file' });
  }
  if (!lstatSync(file).isFile()) throw invalid('file', 'is a link or a folder, which is not written through');
  if (version === null) throw new ApiError(409, 'file: there is one of this name already', { field: 'file' });
  if (versionOf(readFileSync(file, 'utf8')) === version) return;
  const problem = 'file: somebody else has changed it since you opened it; copy your text, and open it again';
  throw new ApiError(409, problem, { field: 'file' });
}

/** Reads the recipes, each rule by itself. */
function recipesIn(folder: string, read: (files: readonly RuleFile[]) => ReadRules): ShownRecipe[] {
  return filesIn(folder).flatMap(({ name: file, text }) =>
    text.split(/^---[ \t]*$/m).flatMap((part) => {
      const [rule] = read([{ name: file, text: withoutState(part) }]).rules;
      if (!rule) return [];
      const { name, about = null, actions } = rule;
      return [{ file, name, about, action: actions.map((one) => one.name).join(', '), text: `${part.trim()}\n` }];
    }),
  );
}

/** A draft may lack what the configuration has not set up yet, so that every recipe can be shown. */
function withoutState(text: string): string {
  return text.replace(/^state: .*$/m, 'state: draft');
}
