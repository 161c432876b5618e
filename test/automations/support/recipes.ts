import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../config/automations/recipes', import.meta.url));

/** The files of recipes, as they are shipped. */
export const recipeFiles = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8'),
}));

/** One recipe, live. */
export function recipe(name: string): string {
  const texts = recipeFiles.flatMap(({ text }) => text.split('---\n'));
  const text = texts.find((one) => one.includes(`name: ${name}\n`));
  if (text === undefined) throw new Error(`there is no recipe ${name}`);
  return text.replace(/^state: test$/m, 'state: live');
}

/** At once after the booking in place of its own time. */
export function soon(text: string): string {
  return text.replace(/^when: .*$/m, 'when: 1 minute after booking').replace(/^if_past: .*\n/m, '');
}
