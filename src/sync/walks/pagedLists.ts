import type { CallOptions, Client } from '../../client/client.ts';
import { automationActions, readAutomationActions } from '../mirror/automationActions.ts';
import { knowledgeBases, readKnowledgeBases } from '../mirror/knowledgeBases.ts';
import type { MirrorResource, Page, Reading } from '../mirror/resource.ts';
import { readStaffs, staffs } from '../mirror/staffs.ts';
import { readTasks, tasks } from '../mirror/tasks.ts';
import { type ListPage, PAGE_ROWS, type Place, walkList } from './list.ts';
import { numbered, type Walk } from './walk.ts';

type Slice = { offset: number; limit: number };
interface Answer {
  page: Page;
  /** Of the rows that could be read, in the order of the answer: ids that fall, or names in any order. */
  keys: readonly (number | string)[];
  answered: number;
  total: number;
}
type ReadSlice = (client: Client, reading: Reading, slice: Slice, options: CallOptions) => Promise<Answer>;

/** A resource that is one list without windows, read page by page. */
function pagedList(rows: MirrorResource, read: ReadSlice): Walk {
  return {
    resource: rows.name,
    rows,
    cost: (known) => Math.ceil(known / (PAGE_ROWS - 1)) + 1,
    async *steps(asking) {
      const placeOf = places();
      const fetch = async ({ offset }: { offset: number }): Promise<ListPage> => {
        const slice = { offset, limit: PAGE_ROWS };
        const { answer, number } = await numbered(asking, (options) =>
          read(asking.client, asking.reading, slice, options),
        );
        const { page, answered, total } = answer;
        return { page, number, places: answer.keys.map(placeOf), answered, total };
      };
      let total = 0;
      for await (const { page, number, fresh, total: told } of walkList({ first: { bound: '', offset: 0 }, fetch })) {
        total = told;
        yield { rows: fresh, visit: (visitor) => visitor.rows(rows, page, number) };
      }
      return { total };
    },
    async count({ client, reading, purpose, signal }) {
      return (await read(client, reading, { offset: 0, limit: 1 }, { purpose, signal })).total;
    },
  };
}

/** Where rows of one walk stand: by their ids, or, of names, in the order in which the walk has met them. */
function places(): (key: number | string) => Place {
  const met = new Map<string, number>();
  return (key) => {
    if (typeof key === 'number') return { at: '', id: key };
    if (!met.has(key)) met.set(key, -met.size);
    return { at: '', id: met.get(key) ?? 0 };
  };
}

export const tasksWalk = pagedList(tasks, async (client, reading, slice, options) => {
  const answer = await client.call('listTasks', slice, options);
  const { tasks: rows, total } = answer.data;
  const answered = rows.length + answer.quarantined.length;
  return { page: readTasks(rows, answer, reading), keys: rows.map((row) => row.id), answered, total };
});

export const staffsWalk = pagedList(staffs, async (client, reading, slice, options) => {
  const answer = await client.call('listStaffs', slice, options);
  const { staffs: rows, total } = answer.data;
  const answered = rows.length + answer.quarantined.length;
  return { page: readStaffs(rows, answer, reading), keys: rows.map((row) => row.id), answered, total };
});

export const knowledgeBasesWalk = pagedList(knowledgeBases, async (client, reading, slice, options) => {
  const answer = await client.call('listKnowledgeBases', slice, options);
  const { knowledge_bases: rows, total } = answer.data;
  const answered = rows.length + answer.quarantined.length;
  return { page: readKnowledgeBases(rows, answer, reading), keys: rows.map((row) => row.id), answered, total };
});

export const automationActionsWalk = pagedList(automationActions, async (client, reading, slice, options) => {
  const answer = await client.call('listAutomationActions', slice, options);
  const { actions: rows, total } = answer.data;
  const answered = rows.length + answer.quarantined.length;
  return { page: readAutomationActions(rows, answer, reading), keys: rows.map((row) => row.plan_id), answered, total };
});
