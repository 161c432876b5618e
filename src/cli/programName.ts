import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a checkout and a container call the program. */
const IN_A_CHECKOUT = './stayd';

/**
 * Returns what people type here to run the program: `./stayd` in a checkout and in a container, `stayd` where npm has
 * installed it for everybody, `npx stayd` where it is a dependency of one folder.
 * @param root the folder of the program
 */
export function programName(root: string): string {
  const modules = dirname(root);
  if (basename(modules) !== 'node_modules') return IN_A_CHECKOUT;
  const prefix = dirname(dirname(modules));
  return existsSync(join(prefix, 'bin', 'stayd')) ? 'stayd' : 'npx stayd';
}

/** Puts the name of the program here in the place of `./stayd`, which all texts say. */
export function namingProgram(text: string, name: string): string {
  return name === IN_A_CHECKOUT ? text : text.replaceAll(/(?<![\w/.])\.\/stayd(?![\w.-])/g, name);
}
