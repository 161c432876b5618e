import { email } from './email.ts';
import type { DeclaredKind } from './kind.ts';
import { matrix } from './matrix.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

export const noticeKindNames = ['email', 'ntfy', 'slack', 'telegram', 'matrix', 'webhook'] as const;
export type NoticeKindName = (typeof noticeKindNames)[number];

/** How each kind of places is told. */
export const noticeKinds: Readonly<Record<NoticeKindName, DeclaredKind>> = {
  email,
  ntfy,
  slack,
  telegram,
  matrix,
  webhook,
};

export function isNoticeKind(name: string): name is NoticeKindName {
  return Object.hasOwn(noticeKinds, name);
}
