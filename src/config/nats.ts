import { z } from 'zod';

const SERVER = /^(?:nats|tls):\/\/(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const SUBJECT_WORD = /^(?:[\w-]|\{(?:connection|resource|op)\})+$/;
const WAYS = ['user', 'token', 'nkey', 'creds'] as const;
const file = z.string().min(1).nullable();
const secret = z.string().min(1).nullable();

/** The broker that takes the change feed. */
export const natsSchema = z
  .strictObject({
    servers: z.array(z.string().regex(SERVER, { error: 'must be addresses such as tls://nats.example:4222' })),
    stream: z.string().regex(/^[\w-]{1,255}$/, { error: 'must be a name of letters, digits, - and _' }),
    create_stream: z.boolean(),
    subject: z.string().refine((subject) => subject.split('.').every((word) => SUBJECT_WORD.test(word)), {
      error: 'must be words with dots between, in which {connection}, {resource} and {op} may stand',
    }),
    user: z.string().min(1).nullable(),
    password: secret,
    token: secret,
    nkey: secret,
    creds: secret,
    tls: z.strictObject({ ca: file, cert: file, key: file }),
  })
  .refine((nats) => WAYS.filter((way) => nats[way] !== null).length <= 1, {
    error: 'user, token, nkey and creds are ways to sign in, and only one can be given',
  })
  .refine(({ user, password }) => (user === null) === (password === null), {
    error: 'user and password belong together',
  });
