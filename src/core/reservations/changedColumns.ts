type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the given columns without undefined values. */
function defined<T extends object>(columns: T): Defined<T> {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** Returns the given columns that are defined and differ from the row. */
export function changedColumns<
  Row extends object,
  T extends { [K in keyof T]: K extends keyof Row ? Row[K] | undefined : never },
>(row: Row, columns: T): Defined<T> {
  const changes = Object.entries(defined(columns)).filter(([name, value]) => Reflect.get(row, name) !== value);
  return Object.fromEntries(changes) as Defined<T>;
}
