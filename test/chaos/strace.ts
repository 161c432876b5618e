/** Which calls of a program are to fail, and how. */
export interface Failing {
  calls: readonly string[];
  /** Such as EIO, ENOSPC. */
  error: string;
  /** The first call that fails, of each conversation; then every so many. */
  first: number;
  every: number;
  /** Only calls on this file. */
  file?: string;
  /** Where each such call is noted, with its time and process. */
  log?: string;
}

/**
 * What makes the calls of a program fail, to be put before its command. The tracer is a grandchild (-D), so that the
 * process that is started is the program itself; other calls run at full speed (--seccomp-bpf).
 */
export function failing({ calls, error, first, every, file, log = '/dev/null' }: Failing): string[] {
  const names = calls.join(',');
  return [
    'strace',
    '-D',
    '-f',
    '--seccomp-bpf',
    '-qqq',
    '-ttt',
    '-o',
    log,
    ...(file === undefined ? [] : ['-P', file]),
    '-e',
    `trace=${names}`,
    '-e',
    `inject=${names}:error=${error}:when=${first}+${every}`,
  ];
}

/** When calls were made to fail, in epoch milliseconds, by the process or conversation they failed in. */
export function injectedIn(log: string): { conversation: number; at: number }[] {
  return log
    .split('\n')
    .filter((line) => line.includes('(INJECTED)'))
    .map((line) => {
      const [conversation = '', at = ''] = line.trim().split(/\s+/);
      return { conversation: Number(conversation), at: Number(at) * 1_000 };
    });
}
