import { addDaysWithin } from '../../kernel/dates.ts';
import { consolePage } from '../page.ts';
import { readProperties, shownProperties } from '../properties.ts';
import { taskActions } from './actions.ts';
import { linked, photoFile, photosOf } from './links.ts';
import { readStaffs, readTask, readTasks } from './query.ts';
import { tasksQuestion } from './shown.ts';
import { tasksView } from './view.ts';

const WEEK = 7;
/** Tasks: what is to be done, by day and person, before whom it must be done, and who does it. */
export const tasksPage = consolePage({
  path: 'tasks',
  right: 'tasks',
  title: (texts) => texts.tasks.title,
  question: tasksQuestion,
  actions: taskActions,
  downloads: { photo: photoFile },
  async render(visit, question) {
    const { services, connection, today, person } = visit;
    const { db } = services;
    const first = question.day ?? today;
    const end = addDaysWithin(first, question.days === '7' ? WEEK : 1);
    const own = person.properties ?? undefined;
    const { type, status, staff } = question;
    const properties = shownProperties(visit, question.property);
    const isHere = visit.isHere;
    return tasksView(visit, question, {
      first,
      end,
      ...(await readTasks(db, { connection, properties, first, end, type, status, staff })),
      open:
        question.task === undefined
          ? undefined
          : await readTask(db, { connection, id: question.task, properties: own }),
      photos: isHere && question.task !== undefined ? await photosOf(visit, question.task) : [],
      linked: isHere && visit.may('tasks.plan') ? await linked(visit) : undefined,
      staffs: await readStaffs(db, { connection }),
      properties: await readProperties(db, { connection, properties: own }),
    });
  },
});
