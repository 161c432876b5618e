import { writeFileSync } from 'node:fs';
import { mirrorMigrations } from '../migrations/mirror/index.ts';
import { migrate } from '../src/store/migrate.ts';
import { openStore } from '../src/store/store.ts';
import type { Mirror } from '../src/sync/database.ts';
import { renderMirrorSchema } from '../src/sync/mirrorSchema.ts';
const store = await openStore<Mirror>({ kind: 'sqlite', file: ':memory:' });
await migrate(store, mirrorMigrations);
const t = await store.db.introspection.getTables();
writeFileSync(
  'docs/mirror-schema.md',
  renderMirrorSchema(t.map(({ name, columns }) => ({ name, columns: columns.map((c) => c.name) }))),
);
await store.close();
