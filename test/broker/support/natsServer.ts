import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../support/port.ts';

const SERVER = '/usr/sbin/nats-server';
/** Milliseconds for the broker to listen. */
const START_MS = 20_000;

/** A NATS server with JetStream, as Debian has it. */
export interface NatsServer {
  readonly port: number;
  readonly dir: string;
  /** Ends it as a power cut does, or politely; what its streams hold stays. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port, with other settings if any are given. */
  start(settings?: string): Promise<void>;
  remove(): Promise<void>;
}

/** @param settings lines of its configuration, beside the port and the streams */
export async function startNats(settings = ''): Promise<NatsServer> {
  const dir = mkdtempSync(join(tmpdir(), 'stayd-nats-'));
  const port = await freePort();
  let current = settings;
  let child = await spawned(dir, port, current);
  const server: NatsServer = {
    port,
    dir,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, 'exit');
    },
    async start(next = current) {
      current = next;
      child = await spawned(dir, port, current);
    },
    async remove() {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return server;
}

async function spawned(dir: string, port: number, settings: string): Promise<ChildProcess> {
  const file = join(dir, 'nats.conf');
  const log = join(dir, 'nats.log');
  writeFileSync(
    file,
    `listen: "127.0.0.1:${port}"\nlog_file: "${log}"\njetstream { store_dir: "${dir}/streams" }\n${settings}\n`,
  );
  const child = spawn(SERVER, ['-c', file], { stdio: 'ignore' });
  const limit = Date.now() + START_MS;
  while (!(await answers(port))) {
    assert.ok(Date.now() < limit && child.exitCode === null, `the broker does not start: see ${log}`);
    await wait(25);
  }
  return child;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

/** Describes tests that need the broker. */
export function describeWithNats(name: string, tests: () => void): void {
  if (existsSync(SERVER)) describe(name, tests);
  else
    test(`${name}: may be left out on this machine`, () => {
      console.log('no nats-server (Debian: nats-server)');
      assert.equal(process.env['CI'], undefined, 'CI needs nats-server');
    });
}
