/**
 * Returns the file that a worker thread of this folder starts with. If stayd runs from its sources, as in the tests, it
 * starts the threads from the build: a thread cannot load TypeScript.
 */
export function threadFile(name: string): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL(`../../../dist/src/store/threads/${name}.js`, import.meta.url)
    : new URL(`./${name}.js`, import.meta.url);
}
