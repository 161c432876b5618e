import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** How long a child that was told to end may take before it is killed. */
const GRACE_MS = 3000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const running = new Set();

/**
 * Starts a program as a process group of its own, so that everything it starts can be ended with it. What
 * it prints is collected in `child.output`. No group outlives this process, unless it is killed outright.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, ipc?: boolean }} options
 */
export function start(command, args, { cwd, env, ipc = false } = {}) {
  const stdio = ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc'] : [])];
  const child = spawn(command, args, { cwd, env, stdio, detached: true });
  child.output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => (child.output += text));
  }
  watch(child);
  return child;
}

/**
 * Runs a program to its end. A program that cannot be started counts as failed.
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { onStart = () => {}, ...options } = {}) {
  const child = start(command, args, options);
  onStart(child);
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: child.output }));
  });
}

/** Ends a child and all that it started. */
export function endGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function watch(child) {
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, endAll);
  running.add(child);
  const forget = () => {
    running.delete(child);
    if (running.size === 0) for (const signal of SIGNALS) process.off(signal, endAll);
  };
  child.on('error', forget);
  child.on('exit', () => {
    endGroup(child, 'SIGKILL');
    forget();
  });
}

function endAll(signal) {
  const leave = () => process.exit(128 + constants.signals[signal]);
  for (const child of running) {
    endGroup(child, 'SIGTERM');
    child.on('exit', () => running.size === 0 && leave());
  }
  setTimeout(leave, GRACE_MS);
}

process.on('exit', () => {
  for (const child of running) endGroup(child, 'SIGKILL');
});
