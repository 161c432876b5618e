import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BareSettings } from './bare.ts';

const BARE = fileURLToPath(new URL('./bareProcess.ts', import.meta.url));

/** Starts a floor in a process of its own, so that neither it nor what is measured pays for the other. */
export async function startBare(settings: BareSettings): Promise<{ url: string; pid: number; stop(): void }> {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', BARE], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin?.end(JSON.stringify(settings));
  if (!child.stdout || child.pid === undefined) throw new Error('the floor did not start');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), pid: child.pid, stop: () => void child.kill('SIGTERM') };
}
