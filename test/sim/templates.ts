import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCoreTemplate } from './core.ts';
import { makeMirrorTemplate } from './daemon.ts';

export interface Templates {
  core: string;
  mirror: string;
  folder: string;
}

/** Empty databases, made once. */
export async function makeTemplates(): Promise<Templates> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-sim-'));
  const templates = { core: join(folder, 'core.db'), mirror: join(folder, 'mirror.db'), folder };
  await makeCoreTemplate(templates.core);
  await makeMirrorTemplate(templates.mirror);
  return templates;
}
