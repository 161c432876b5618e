/** One cycle of a directed graph as the list of its stations, the first repeated at the end. */
export function cycleIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];

  const search = (station: string): string[] | undefined => {
    const seenAt = path.indexOf(station);
    if (seenAt !== -1) return [...path.slice(seenAt), station];
    if (done.has(station)) return undefined;
    path.push(station);
    for (const next of graph.get(station) ?? []) {
      const cycle = search(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(station);
    return undefined;
  };

  for (const station of graph.keys()) {
    const cycle = search(station);
    if (cycle) return cycle;
  }
  return undefined;
}
