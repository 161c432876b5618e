import { z } from 'zod';
import { consolePage } from '../page.ts';
import { readHits } from './query.ts';
import { searchView } from './view.ts';

/** Letters of a question, at least: one finds everything. */
const SHORTEST = 2;

/** Search: one box for guests, codes, properties, e-mail addresses, telephones and messages. */
export const searchPage = consolePage({
  path: 'search',
  right: 'search',
  title: (texts) => texts.search.title,
  question: z.object({ q: z.string().max(200).optional() }),
  async render(visit, { q }) {
    const question = (q ?? '').trim();
    if (question.length < SHORTEST) return searchView(visit, question, undefined);
    const { services, connection, person } = visit;
    const hits = await readHits(services.db, {
      connection,
      question,
      properties: person.properties ?? undefined,
      persons: visit.may('persons'),
      messages: visit.may('inbox'),
    });
    return searchView(visit, question, hits);
  },
});
