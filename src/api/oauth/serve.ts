import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { wellKnown } from '../../oauth/metadata.ts';
import type { OAuth } from '../../oauth/server.ts';
import { openToAll } from './crossOrigin.ts';
import { serveEndpoints } from './endpoints.ts';
import type { OAuthOptions } from './options.ts';
import { servePages } from './pages.ts';

/** The largest body of these routes in bytes. */
const BODY_BYTES = 16_384;

/**
 * Serves OAuth with the standards' own bodies and status codes: `/oauth/*` and `/.well-known/*`. Any web page may call
 * the endpoints for programs, which use no cookie, but not the pages for people.
 */
export function serveOAuth(app: FastifyInstance, options: OAuthOptions): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    servePages(scope, options);
    serveEndpoints(scope, options);
    serveWellKnown(scope, options.oauth);
  });
}

function serveWellKnown(app: FastifyInstance, oauth: OAuth): void {
  for (const name of ['oauth-authorization-server', 'oauth-protected-resource']) {
    const answer = (request: FastifyRequest, reply: FastifyReply) => {
      const [path = ''] = request.url.split('?', 1);
      const metadata = wellKnown(oauth, path);
      openToAll(reply).header('cache-control', 'public, max-age=300');
      return metadata ? reply.send(metadata) : reply.code(404).send({ error: 'not_found' });
    };
    app.get(`/.well-known/${name}`, answer);
    app.get(`/.well-known/${name}/*`, answer);
  }
}
