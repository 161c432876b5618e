import type { FastifyInstance } from 'fastify';
import { type Color, isColor } from '../../kernel/markup/colors.ts';
import { styleOf } from '../../kernel/markup/look.ts';

const PATH = '/console/assets/color';

/** Returns the address of the style sheet of a color. */
export function styleAddress(color: Color): string {
  return `${PATH}/${color.slice(1)}.css`;
}

/** Serves the style sheet of any color. It follows from the address alone, so it tells nothing of any account. */
export function serveColors(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>(`${PATH}/:file`, async ({ params }, reply) => {
    const color = `#${params.file.replace(/\.css$/, '')}`;
    if (!params.file.endsWith('.css') || !isColor(color)) return reply.code(404).send();
    return reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .send(styleOf(color));
  });
}
