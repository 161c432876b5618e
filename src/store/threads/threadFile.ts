/**
 * The file a worker thread of this folder begins with. Run from its sources, as by the tests, stayd starts the
 * threads from the build: a thread cannot load TypeScript.
 */
export function threadFile(name: string): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL(`../../../dist/src/store/threads/${name}.js`, import.meta.url)
    : new URL(`./${name}.js`, import.meta.url);
}
