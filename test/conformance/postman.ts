import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { startTestService } from '../support/service.ts';
import { fetchPackages, run } from './packages.ts';

const TOOLS = { newman: '6.2.2' };
/** Lists that answer for an empty account, too; each is asked as the collection has it. */
const READ = /^(?:list(?!Calendars|SpecialOffers|Availabilities)|getAccount$)/;

interface Folder {
  item: { name: string; request: { method: string } }[];
}

/**
 * newman, which runs collections for Postman, reads a running service by the reads of ours; the checks of the collection
 * judge each answer.
 * @returns what has failed
 * @throws NoPackages when the registry cannot be reached
 */
export async function postman(say: (text: string) => void): Promise<string[]> {
  const folder = await fetchPackages({ folder: 'postman', packages: TOOLS }, say);
  say('\nthe Postman collection in newman');
  const service = await startTestService();
  try {
    const file = join(packageRoot(), 'integrations', 'postman', 'stayd.postman_collection.json');
    const collection = JSON.parse(readFileSync(file, 'utf8')) as { item: Folder[] };
    for (const one of collection.item) one.item = one.item.filter(({ name }) => READ.test(name));
    collection.item = collection.item.filter(({ item }) => item.length > 0);
    writeFileSync(join(folder, 'reads.json'), JSON.stringify(collection));
    const variables = ['--env-var', `baseUrl=${service.url}`, '--env-var', `token=${service.token}`];
    const newman = join(folder, 'node_modules', 'newman', 'bin', 'newman.js');
    const how = ['--color', 'off', ...variables];
    const { code, output } = await run(process.execPath, [newman, 'run', 'reads.json', ...how], folder);
    const wanted = collection.item.reduce((sum, { item }) => sum + item.length, 0);
    const isRight = code === 0 && wanted > 20;
    say(isRight ? `ok    ${wanted} reads` : `FAIL  ${wanted} reads\n${output}`);
    return isRight ? [] : ['Postman: newman'];
  } finally {
    await service.remove();
  }
}
