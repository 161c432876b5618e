import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from '../http/pageHeaders.ts';
import { LONGEST_QUESTION } from './frame/document.ts';
import { Docs, type DocsOptions } from './site.ts';

const KEPT = 'public, max-age=3600';

/** A rendered page with the mark by which a browser asks if it is still the same. */
interface Rendered {
  readonly text: string;
  readonly etag: string;
}

/**
 * Serves the reference of v3 at `/docs`. It contains no secret, so it needs no token. Everything is made at the first
 * request: a service that is never asked reads no guide.
 */
export function serveDocs(app: FastifyInstance, options: DocsOptions): void {
  let made: Docs | undefined;
  const docs = () => (made ??= new Docs(options));
  const rendered = new Map<string, Rendered>();
  const page = (request: FastifyRequest, reply: FastifyReply) => {
    const address = request.url.replace(/\/?(\?.*)?$/s, '');
    const known = rendered.get(address) ?? renderedOf(docs().page(address));
    if (!known) return send(reply.code(404), docs(), docs().missingPage());
    rendered.set(address, known);
    void reply.headers({ ...pageHeaders(docs().files.policy), 'cache-control': KEPT, etag: known.etag });
    const isKnown = request.headers['if-none-match']?.split(/,\s*/).includes(known.etag) ?? false;
    return isKnown ? reply.code(304).send() : reply.send(known.text);
  };
  app.get('/docs', page);
  app.get('/docs/*', page);
  app.get('/docs/search', (request, reply) => send(reply, docs(), docs().searchPage(questionOf(request))));
  app.get('/docs/search.json', (request, reply) =>
    reply.header('cache-control', 'no-store').send({ found: docs().find(questionOf(request)) }),
  );
  app.get('/docs/files/:digest/docs.css', (request, reply) => {
    const { style, styleAddress } = docs().files;
    if (request.url !== styleAddress) return send(reply.code(404), docs(), docs().missingPage());
    return reply
      .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' })
      .send(style);
  });
}

function renderedOf(text: string | undefined): Rendered | undefined {
  if (text === undefined) return undefined;
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

function send(reply: FastifyReply, docs: Docs, text: string): FastifyReply {
  return reply.headers(pageHeaders(docs.files.policy)).send(text);
}

function questionOf(request: FastifyRequest): string {
  const { q = '' } = request.query as { q?: string | string[] };
  return ([q].flat().at(-1) ?? '').trim().slice(0, LONGEST_QUESTION);
}
