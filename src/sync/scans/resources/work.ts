import { CallError } from '../../../client/callError.ts';
import { automationActions, readAutomationActions } from '../../tables/work/automationActions.ts';
import { knowledgeBases, readKnowledgeBases } from '../../tables/work/knowledgeBases.ts';
import { readStaffs, staffs } from '../../tables/work/staffs.ts';
import { readTasks, tasks } from '../../tables/work/tasks.ts';
import { sumOf } from '../list.ts';
import { optionalList } from '../pagedList.ts';
import type { Scan } from '../scan.ts';

export const tasksScan = optionalList(tasks, async (client, at, reading, options) => {
  const answer = await client.call('listTasks', at, options);
  const { tasks: rows, total } = answer.data;
  return { page: readTasks(rows, answer, reading), total };
});

export const staffsScan = optionalList(staffs, async (client, at, reading, options) => {
  const answer = await client.call('listStaffs', at, options);
  const { staffs: rows, total } = answer.data;
  return { page: readStaffs(rows, answer, reading), total };
});

export const knowledgeBasesScan = optionalList(knowledgeBases, async (client, at, reading, options) => {
  const answer = await client.call('listKnowledgeBases', at, options);
  const { knowledge_bases: rows, total } = answer.data;
  return { page: readKnowledgeBases(rows, answer, reading), total };
});

/** The types of listed actions, for deployments that require a type. */
const ACTION_TYPES = ['message', 'review'] as const;

const actionsOf = (type?: string) =>
  optionalList(automationActions, async (client, at, reading, options) => {
    const answer = await client.call('listAutomationActions', { ...at, ...(type && { type }) }, options);
    const { actions: rows, total } = answer.data;
    return { page: readAutomationActions(rows, answer, reading), total };
  });

const allActions = actionsOf();
const actionsByType = ACTION_TYPES.map(actionsOf);

/** Reads automation actions in one list; if that is refused, in one for each type. */
export const automationActionsScan: Scan = {
  ...allActions,
  async *steps(asking) {
    try {
      return yield* allActions.steps(asking);
    } catch (error) {
      if (!isBadRequest(error)) throw error;
    }
    let total = 0;
    for (const scan of actionsByType) total += (yield* scan.steps(asking)).total;
    return { total };
  },
  async count(asking) {
    try {
      return (await allActions.count?.(asking)) ?? null;
    } catch (error) {
      if (!isBadRequest(error)) throw error;
    }
    return sumOf(actionsByType, async (scan) => (await scan.count?.(asking)) ?? null);
  },
};

function isBadRequest(error: unknown): boolean {
  return error instanceof CallError && error.code === 400;
}
