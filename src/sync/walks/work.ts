import { automationActions, readAutomationActions } from '../mirror/automationActions.ts';
import { knowledgeBases, readKnowledgeBases } from '../mirror/knowledgeBases.ts';
import { readStaffs, staffs } from '../mirror/staffs.ts';
import { readTasks, tasks } from '../mirror/tasks.ts';
import { optionalList } from './pagedList.ts';

export const tasksWalk = optionalList(tasks, async (client, at, reading, options) => {
  const answer = await client.call('listTasks', at, options);
  const { tasks: rows, total } = answer.data;
  return { page: readTasks(rows, answer, reading), total };
});

export const staffsWalk = optionalList(staffs, async (client, at, reading, options) => {
  const answer = await client.call('listStaffs', at, options);
  const { staffs: rows, total } = answer.data;
  return { page: readStaffs(rows, answer, reading), total };
});

export const knowledgeBasesWalk = optionalList(knowledgeBases, async (client, at, reading, options) => {
  const answer = await client.call('listKnowledgeBases', at, options);
  const { knowledge_bases: rows, total } = answer.data;
  return { page: readKnowledgeBases(rows, answer, reading), total };
});

export const automationActionsWalk = optionalList(automationActions, async (client, at, reading, options) => {
  const answer = await client.call('listAutomationActions', at, options);
  const { actions: rows, total } = answer.data;
  return { page: readAutomationActions(rows, answer, reading), total };
});
