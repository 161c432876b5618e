import { parseArgs } from 'node:util';
import { accept } from '../test/support/consoleWorld.ts';
import { openPages } from '../test/support/pages.ts';
import { reports } from '../src/reports/catalog.ts';
import type { Report } from '../src/reports/report.ts';
import { absolute } from './support/outcome.ts';
import { startWhole } from './support/wholeService.ts';

/**
 * The console of the built service with all real bookings, in a browser: how soon each page begins to arrive, and how soon
 * it can be used. `--data FOLDER` has the data set; `--use FOLDER` begins with a copy of an imported service.
 */
const LOOKS = 5;
const FIRST_BYTE_MS = 100;
const USABLE_MS = 500;
/** A day and a month in the middle of the real bookings. */
const DAY = '2016-08-15';
const MONTH = '2016-08';

/** By the browser's own entries; scripts that are deferred, and modules, have run when the document is said to be loaded. */
const LOOK = `(() => {
  const [{ responseStart, domContentLoadedEventEnd }] = performance.getEntriesByType('navigation');
  if (document.querySelector('main h1') === null) throw new Error('the page has no heading');
  return { firstByte: responseStart, usable: domContentLoadedEventEnd };
})()`;

const { values } = parseArgs({ options: { data: { type: 'string' }, use: { type: 'string' } } });
const { facts, service, remove } = await startWhole(values);
const pages = await openPages(service.url);
try {
  const [stay] = await facts.rows(
    'core',
    'select reservation_code as code from stays order by id limit 1 offset 60000',
  );
  const { out, err } = await service.stayd('login', 'invite');
  const secret = /#(\S+)/.exec(out)?.[1];
  if (secret === undefined) throw new Error(`${out} ${err}`);
  const at = (path: string) => `${service.url}/console/${path}`;
  const page = await accept(await pages.person(), at, { secret, login: 'bench' });
  const paths = [
    `today?day=${DAY}`,
    'inbox',
    `calendar?from=${DAY}`,
    'book',
    `tasks?day=${DAY}`,
    `stay?code=${stay?.['code']}`,
    'money',
    'reports',
    ...reports.map(reportPath),
    'rules',
    'health',
    'setup',
    'people',
    'record',
    'search?q=city',
    'me',
  ];
  for (const path of paths) {
    const looks: Look[] = [];
    // The first look fills what later ones find.
    for (let count = 0; count <= LOOKS; count += 1) {
      const answer = await page.goto(at(path));
      if (answer?.status() !== 200) throw new Error(`${path}: ${answer?.status()}`);
      if (await page.locator('main [role=alert]').count()) throw new Error(`${path}: ${await page.innerText('main')}`);
      looks.push(await page.evaluate(LOOK));
    }
    const firstByte = median(looks.slice(1).map((look) => look.firstByte));
    const usable = median(looks.slice(1).map((look) => look.usable));
    const told = (ms: number) => `${ms.toFixed(0)} ms`;
    const ours = `first byte ${told(firstByte)}, usable ${told(usable)}`;
    const goal = `${told(FIRST_BYTE_MS)}, ${told(USABLE_MS)}`;
    const also = `; the first time ${told(looks[0]?.firstByte ?? Number.NaN)}`;
    const isMet = firstByte < FIRST_BYTE_MS && usable < USABLE_MS;
    process.stdout.write(`${absolute(`console, ${path.replace(/code=.*/, 'code=…')}`, { ours, goal, also }, isMet)}\n`);
  }
} finally {
  await pages.close();
  await remove();
}

/** A report of one month, or on a day, as far as it can be asked for either. */
function reportPath({ name, filters }: Report): string {
  const asked = new URLSearchParams({ report: name });
  if (filters.asOf) asked.set('as_of', DAY);
  else if (filters.dates !== undefined) for (const field of ['from', 'to']) asked.set(field, MONTH);
  return `reports?${asked.toString()}`;
}

interface Look {
  firstByte: number;
  usable: number;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
