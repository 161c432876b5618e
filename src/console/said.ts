import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookie with the sentence that the next page says once. A link of a stranger cannot put words there. */
const NAME = 'stayd_said';
const SECONDS = 30;
/** Browsers keep no cookie much longer than this. */
const MOST_CHARACTERS = 1_000;

/** Lets the next page say what was done. */
export function sayNext(reply: FastifyReply, sentence: string): void {
  const short = sentence.length > MOST_CHARACTERS ? `${sentence.slice(0, MOST_CHARACTERS)}…` : sentence;
  const value = Buffer.from(short).toString('base64url');
  void reply.header('set-cookie', `${NAME}=${value}; Path=/console; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax`);
}

/** Returns the sentence, which is said this once. */
export function takeSaid(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map((part) => part.trim());
  const value = cookies.find((part) => part.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
  if (value === undefined || value === '') return undefined;
  void reply.header('set-cookie', `${NAME}=; Path=/console; Max-Age=0; HttpOnly; SameSite=Lax`);
  return Buffer.from(value, 'base64url').toString();
}
