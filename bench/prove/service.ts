import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const READY_MS = 60_000;
/** Node's histogram holds the time from sample to sample, so an idle loop shows the period itself. */
const SAMPLE_MS = 10;

/** A real service in a process of its own, and the commands that talk to it. */
export interface ProvenService {
  url: string;
  pid: number;
  readyMs: number;
  /** `./stayd …`; resolves with its standard output, whatever its exit code. */
  stayd(...args: string[]): Promise<{ out: string; err: string; code: number }>;
  /** Highest resident memory so far, in MB. */
  peakMb(): number;
  /** Percentiles of the event-loop delay since the last look, in ms. */
  loopDelay(): Promise<{ p99: number; max: number }>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface Place {
  root: string;
  dataDir: string;
  port: number;
  databaseUrl?: string;
  /** More settings. */
  environment?: Readonly<Record<string, string>>;
}

export async function startProven(place: Place): Promise<ProvenService> {
  const env = {
    ...process.env,
    STAYD_DATA_DIR: place.dataDir,
    STAYD_PORT: String(place.port),
    STAYD_LOG_LEVEL: 'warn',
    ...(place.databaseUrl && { STAYD_DATABASE_URL: place.databaseUrl }),
    ...place.environment,
  };
  const begun = performance.now();
  const child = spawn(process.execPath, ['stayd', 'start'], {
    cwd: place.root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await ready(child);
  const pid = child.pid ?? 0;
  const commands = new Set<ChildProcess>();
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${place.port}`;
  return {
    url,
    pid,
    readyMs: performance.now() - begun,
    async stayd(...args) {
      try {
        const command = run(process.execPath, ['stayd', ...args], { cwd: place.root, env, maxBuffer: 1 << 26 });
        commands.add(command.child);
        const { stdout, stderr } = await command.finally(() => commands.delete(command.child));
        return { out: stdout, err: stderr, code: 0 };
      } catch (error) {
        const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
        return { out: stdout, err: stderr, code };
      }
    },
    peakMb: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024,
    async loopDelay() {
      const text = await (await fetch(`${url}/metrics`)).text();
      const delay = (name: string) => {
        const seconds = new RegExp(`stayd_nodejs_eventloop_lag_${name}_seconds ([\\d.e+-]+)`).exec(text)?.[1];
        return Math.max(0, Number(seconds) * 1_000 - SAMPLE_MS);
      };
      return { p99: delay('p99'), max: delay('max') };
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
      // One that has not reached the service yet would do its work itself, and keep the data directory meanwhile.
      for (const command of commands) command.kill('SIGKILL');
    },
    async stop() {
      child.kill('SIGINT');
      await gone;
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the service was not ready in time')), READY_MS);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (!text.includes('is ready on')) return;
      clearTimeout(late);
      resolve();
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code} before it was ready`)));
  });
}
