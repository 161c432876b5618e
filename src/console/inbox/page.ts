import { ApiError } from '../../kernel/errors.ts';
import { consolePage } from '../page.ts';
import { readProperties, shownProperties } from '../properties.ts';
import type { Visit } from '../visit.ts';
import { inboxActions } from './actions.ts';
import { readPlans } from './drafts.ts';
import { readEntries } from './query.ts';
import { type InboxQuestion, inboxQuestion, type Opened } from './question.ts';
import { readThread } from './thread.ts';
import { inboxView } from './view.ts';

/** The inbox: conversations with guests, what nobody has answered first; the thread with its stay, and the answer. */
export const inboxPage = consolePage({
  path: 'inbox',
  right: 'inbox',
  title: (texts) => texts.inbox.title,
  question: inboxQuestion,
  actions: inboxActions,
  async render(visit, asked) {
    const { connection, services, person } = visit;
    const { show, named, page, property } = asked;
    const properties = shownProperties(visit, property);
    const own = person.properties ?? undefined;
    const list = await readEntries(services.db, { connection, properties, nameable: own, show, named, page });
    const choices = await readProperties(services.db, { connection, properties: own });
    return inboxView(visit, asked, { ...list, choices, opened: await open(visit, asked) });
  },
});

async function open(visit: Visit, { conversation, messages }: InboxQuestion): Promise<Opened | undefined> {
  if (conversation === undefined) return undefined;
  const { connection, services, person } = visit;
  const properties = person.properties ?? undefined;
  const thread = await readThread(services.db, { connection, conversation, properties, limit: messages });
  if (!thread) throw new ApiError(404, 'There is no such conversation.');
  return { thread, plans: await readPlans(visit, { conversation_id: conversation }) };
}
