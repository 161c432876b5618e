import type { FastifyReply } from 'fastify';

/** Lets web pages of any site read an answer, because it involves no cookie. */
export function openToAll(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', 'GET, POST, OPTIONS')
    .header('access-control-allow-headers', 'authorization, content-type, mcp-protocol-version');
}
