import { z } from 'zod';
import { noticeKind, outcomeOf, wholeText, webAddress } from './kind.ts';

/** A room of Matrix (client-server API v3). The id of the transaction keeps a repeated notice from showing twice. */
export const matrix = noticeKind({
  settings: z.strictObject({
    server: webAddress,
    token: z.string().min(1).max(1_000),
    room: z
      .string()
      .regex(/^![^\s/]{1,250}$/, { error: 'must be the internal id of a room, such as !abc:example.org' }),
  }),
  addressIn: 'server',
  shown: ({ server, room }) => `${room} at ${new URL(server).host}`,
  async tell({ call }, { server, token, room }, told) {
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(told.id)}`;
    const answer = await call({
      method: 'PUT',
      url: `${server.replace(/\/$/, '')}${path}`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ msgtype: 'm.text', body: wholeText(told) }),
    });
    return outcomeOf(answer);
  },
});
