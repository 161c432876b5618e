import { createHmac } from 'node:crypto';
import { type Config, defaultConfig } from '../../config.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** A setting that depends on the directory of the command, so it is not compared. */
const LEFT_OUT = 'data_dir';

/** Returns a digest of every setting: holders of the key can compare settings, and no one can read them. */
export function settingDigests(config: Config, key: string): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const [path, text] of settingsOf(config)) digests[path] = createHmac('sha256', key).update(text).digest('hex');
  return digests;
}

/** Returns each setting as text by its path, such as `upstream.token`. */
function settingsOf(config: Config): Map<string, string> {
  const settings = new Map<string, string>();
  const add = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
      for (const [name, one] of Object.entries(value)) add(one, path === '' ? name : `${path}.${name}`);
    } else settings.set(path, JSON.stringify(value) ?? '');
  };
  add(config, '');
  settings.delete(LEFT_OUT);
  return settings;
}

/** Compares the settings of this command with those of the running service. */
export function compareSettings(config: Config, running: Readonly<Record<string, string>>, key: string): Finding[] {
  const check = 'configuration';
  const own = settingDigests(config, key);
  const [values, defaults] = [settingsOf(config), settingsOf(defaultConfig())];
  const differing = [...new Set([...Object.keys(own), ...Object.keys(running)])]
    .filter((path) => own[path] !== running[path])
    .toSorted();
  const given = differing.filter((path) => values.has(path) && values.get(path) !== defaults.get(path));
  const others = differing.filter((path) => !given.includes(path));
  if (differing.length === 0) return [ok(check, 'the running service was started with what stands here')];
  return [
    ...(given.length > 0
      ? [
          problem(
            check,
            `the running service does not go by what stands here: ${given.join(', ')}`,
            'start stayd again with these settings, or run this command with those of the service',
          ),
        ]
      : []),
    ...(others.length > 0
      ? [note(check, `the running service was given more than this command: ${others.join(', ')}`)]
      : []),
  ];
}
