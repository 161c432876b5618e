import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../src/config.ts';
import type { ServiceProcess } from '../service/support/process.ts';
import { newToken, settled, v3 } from '../support/service.ts';
import { type How, startBuilt } from './built.ts';
import { ANSWERING_RULE } from './guests.ts';
import type { Course } from './scenario.ts';

/** Several processes of the whole built service on one PostgreSQL, with one account and a house. */
export interface Fleet {
  members: ServiceProcess[];
  token: string;
  property: number;
  /** Starts one more process. @returns it, which is the last of the members */
  add(how?: How, more?: Environment): Promise<ServiceProcess>;
  /** Starts the process at this place again. */
  restart(index: number): Promise<void>;
}

export async function startFleet(
  course: Course,
  databaseUrl: string,
  size: number,
  more: Environment = {},
): Promise<Fleet> {
  const rules = course.folder();
  writeFileSync(join(rules, 'rules.yaml'), ANSWERING_RULE);
  const environment = {
    STAYD_DATABASE_URL: databaseUrl,
    STAYD_SECRET_KEY: '33'.repeat(32),
    STAYD_AUTOMATIONS_RULES: rules,
    ...more,
  };
  const members: ServiceProcess[] = [];
  const add = async (how: How = {}, own: Environment = {}): Promise<ServiceProcess> => {
    const index = members.length;
    const member = await startBuilt(course.folder(), { ...environment, ...own }, how);
    members.push(member);
    course.atEnd(() => members[index]?.kill('SIGKILL'));
    return member;
  };
  const first = await add();
  for (let others = 1; others < size; others += 1) await add();
  await settled(first);
  const token = await newToken(first);
  const property = (await v3(first, token, 'POST', '/properties', { name: 'House' })).property_id;
  return {
    members,
    token,
    property,
    add,
    async restart(index) {
      const { dataDir, url } = members[index] ?? first;
      members[index] = await startBuilt(dataDir, { ...environment, STAYD_PORT: new URL(url).port });
    },
  };
}
