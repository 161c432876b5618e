import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCoreTemplate } from './core.ts';
import { makeMirrorTemplate } from './daemon.ts';

export interface Templates {
  core: string;
  mirror: string;
  /** For the files of worlds; whoever asked for it removes it. */
  folder: string;
}

let made: Promise<Omit<Templates, 'folder'>> | undefined;

/** Empty databases, made once in a process, and a new folder for the worlds that copy them. */
export async function makeTemplates(): Promise<Templates> {
  made ??= makeDatabases();
  return { ...(await made), folder: mkdtempSync(join(tmpdir(), 'stayd-sim-')) };
}

async function makeDatabases(): Promise<Omit<Templates, 'folder'>> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-sim-empty-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const databases = { core: join(folder, 'core.db'), mirror: join(folder, 'mirror.db') };
  await makeCoreTemplate(databases.core);
  await makeMirrorTemplate(databases.mirror);
  return databases;
}
