import { createMcpHandler, type McpHandlerRequestOptions } from '@modelcontextprotocol/server';
import type { Logger } from '../../kernel/log.ts';
import { type SessionOptions, Sessions } from './sessions.ts';

/** Streams that only wait for changes; the tools never change, so clients need few. */
const MOST_SUBSCRIPTIONS = 64;

interface TransportOptions extends SessionOptions {
  readonly log: Logger;
}

interface McpTransport {
  fetch(request: Request, options: McpHandlerRequestOptions): Promise<Response>;
  /** Closes all open streams. */
  close(): Promise<void>;
}

/**
 * Creates the streamable HTTP transport of both eras. The official handler serves revision 2026-07-28 and 2025 clients
 * without a session, with one server for each request; {@link Sessions} serves 2025 clients that need one.
 */
export function mcpTransport(options: TransportOptions): McpTransport {
  const sessions = new Sessions(options);
  const handler = createMcpHandler(options.makeServer, {
    maxSubscriptions: MOST_SUBSCRIPTIONS,
    onerror: (error) => options.log.debug({ problem: error.message }, 'an MCP request was refused'),
  });
  return {
    fetch: async (request, more) => (await sessions.answer(request, more)) ?? handler.fetch(request, more),
    async close() {
      await sessions.close();
      await handler.close();
    },
  };
}
