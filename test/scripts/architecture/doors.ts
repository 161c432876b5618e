import type { Source, Violation } from './source.ts';

/** What opens connections or asks for names, by module of Node. */
const OPENERS: Record<string, ReadonlySet<string>> = {
  http: new Set(['request', 'get', 'Agent', 'globalAgent', 'ClientRequest', 'default', '*']),
  https: new Set(['request', 'get', 'Agent', 'globalAgent', 'default', '*']),
  http2: new Set(['connect', 'default', '*']),
  net: new Set(['connect', 'createConnection', 'Socket', 'Stream', 'default', '*']),
  tls: new Set(['connect', 'TLSSocket', 'default', '*']),
  dgram: new Set(['createSocket', 'Socket', 'default', '*']),
  dns: new Set(['lookup', 'resolve', 'resolve4', 'resolve6', 'Resolver', 'promises', 'default', '*']),
  'dns/promises': new Set(['lookup', 'resolve', 'resolve4', 'resolve6', 'Resolver', 'default', '*']),
  child_process: new Set([
    'exec',
    'execFile',
    'execSync',
    'execFileSync',
    'fork',
    'spawn',
    'spawnSync',
    'default',
    '*',
  ]),
};

/** Who may, and for which address. */
const DOORS: readonly [place: RegExp, module: string, reason: string][] = [
  [/^src\/outbound\/dispatcher\.ts$/, 'net', 'URLs that users give, judged'],
  [/^src\/outbound\/resolve\.ts$/, 'dns', 'their names, looked up once'],
  [/^src\/cli\/portal\.ts$/, 'http', 'the management door of this machine, from its data directory'],
  [/^src\/compose\/forCommand\.ts$/, 'http', 'the same'],
  [/^src\/compose\/supervisor\.ts$/, 'child_process', 'systemd-notify, with words of our own alone'],
  [
    /^src\/compose\/backup\/schedule\/postgresTools\.ts$/,
    'child_process',
    'pg_dump and pg_restore on the owner’s own database',
  ],
  [/^src\/compose\/doctor\/ask\.ts$/, 'http', 'addresses of the owner’s own configuration, without any secret'],
  [/^src\/compose\/doctor\/ask\.ts$/, 'https', 'the same'],
];

/** Packages that open connections; undici has its homes in the table of rooms. */
const CLIENTS = new Set(['axios', 'got', 'node-fetch', 'cross-fetch', 'ky', 'needle', 'request', 'superagent', 'ws']);

/** Ways to open a connection beside the known doors, of which one alone leads to addresses that users give. */
export function furtherDoors({ file, imports }: Source): Violation[] {
  return imports.flatMap(({ specifier, names, line }) => {
    const module = specifier.replace(/^node:/, '');
    if (CLIENTS.has(module))
      return [{ file, line, problem: `${module}: HTTP goes out through src/outbound or src/client` }];
    const openers = OPENERS[module];
    if (!openers || DOORS.some(([place, known]) => known === module && place.test(file))) return [];
    return names
      .filter((name) => openers.has(name))
      .map((name) => ({
        file,
        line,
        problem: `${name} of ${specifier}: what users name is reached through src/outbound`,
      }));
  });
}
