import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '../src/kernel/errors.ts';
import { ROUND_NAMES, ROUNDS } from '../test/console/acts/rounds.ts';
import { type Act, rulesOf, setStage, type Stage } from '../test/console/acts/stage.ts';
import { rulesFolder, withMarketplace } from '../test/console/support/inboxWorld.ts';
import { worldOf } from '../test/support/consoleWorld.ts';
import { absolute } from './support/outcome.ts';
import { servedBy } from './support/served.ts';
import { startWhole } from './support/wholeService.ts';

/**
 * The twelve tasks of people at the console, acted out in a browser on the built service: on houses and marketplaces of a
 * simulated account that stand beside all real bookings. Says of each task what became of it, the clicks from Today on of
 * each thing that was done, and how long it took. Fails when one of them does.
 * `--data FOLDER` has the data set; `--use FOLDER` begins with a copy of an imported service.
 */
const PATIENCE_MS = 60_000;
const GOAL = 'done, in 3 clicks at the most';

const { values } = parseArgs({ options: { data: { type: 'string' }, use: { type: 'string' } } });
const say = (line: string) => void process.stdout.write(`${line}\n`);
const folder = rulesFolder(rulesOf(ROUND_NAMES));
const whole = await startWhole(values, { STAYD_AUTOMATIONS_RULES: folder });
let failed = 0;
try {
  const service = await servedBy(whole);
  await service.settled();
  const bookings = await whole.facts.number('mirror', 'select count(*) from reservations');
  say(`the twelve tasks at the console, beside ${bookings.toLocaleString('en-US')} reservations`);
  const world = await withMarketplace(await worldOf(service), folder);
  try {
    const stageOf = await setStage(world, ROUND_NAMES, PATIENCE_MS);
    for (const { name, window, acts } of ROUNDS) {
      const stage = stageOf(name);
      await stage.page.setViewportSize(window);
      for (const act of acts) await played(stage, act);
    }
    const { problems } = world.pages;
    if (problems.length > 0) fail(`breaches of the content policy, and requests to elsewhere:\n${problems.join('\n')}`);
  } finally {
    await world.pages.close();
  }
} finally {
  await whole.remove();
  rmSync(folder, { recursive: true });
}
if (failed > 0) process.exitCode = 1;

/** Plays one act. What fails does not keep the others from being played. */
async function played(stage: Stage, { task, play }: Act): Promise<void> {
  const { actor, round } = stage;
  const before = actor.clicks.length;
  const begun = performance.now();
  let problem: string | undefined;
  try {
    await play(stage);
  } catch (error) {
    problem = messageOf(error);
  }
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const clicks = actor.clicks.slice(before).join(' + ');
  const ours = `${problem === undefined ? 'done' : 'failed'}, clicks ${clicks}, ${seconds} s`;
  say(absolute(`console, ${round}, ${task}`, { ours, goal: GOAL }, problem === undefined));
  if (problem !== undefined) fail(`  on ${stage.page.url()}\n  ${problem}`);
}

function fail(why: string): void {
  failed += 1;
  say(why);
}
