/** Benches that need the real data set, and measure the built program: the options that each of them knows. */
export const OPTIONS = {
  full: ['data', 'keep', 'use', 'only'],
  console: ['data', 'use'],
  'console-acts': ['data', 'use'],
};

/** Benches of the built program that need no data. */
const OF_PROCESSES = new Set(['machines', 'scale']);

/**
 * Returns true for a bench that starts the built program.
 * @param {string} name
 */
export function needsBuild(name) {
  return needsData(name) || OF_PROCESSES.has(name);
}

/** @param {string} name */
export function needsData(name) {
  return Object.hasOwn(OPTIONS, name);
}

/**
 * Returns what each of the benches is given: of the options those that it knows, and the size if it has one.
 * @param {string[]} names
 * @param {{ size: string[], options: string[] }} given `options` as on the command line: `--use X` or `--use=X`
 * @returns {Record<string, string[]>}
 * @throws {Error} for an option that none of them knows
 */
export function argumentsOf(names, { size, options }) {
  const groups = grouped(options);
  const known = new Set(names.flatMap((name) => OPTIONS[name] ?? []));
  const unknown = groups.find(({ option }) => !known.has(option));
  if (unknown) {
    const there = [...known].map((option) => `--${option}`).join(', ') || 'none';
    throw new Error(`${names.join(', ')}: there is no option --${unknown.option}; there is ${there}`);
  }
  return Object.fromEntries(
    names.map((name) => {
      const own = groups.filter(({ option }) => OPTIONS[name]?.includes(option));
      return [name, needsData(name) ? own.flatMap(({ args }) => args) : size];
    }),
  );
}

/** Each option with its value. */
function grouped(options) {
  const groups = [];
  for (const arg of options) {
    const option = /^--([^=]*)/.exec(arg)?.[1];
    if (option === undefined) groups.at(-1)?.args.push(arg);
    else groups.push({ option, args: [arg] });
  }
  return groups;
}
