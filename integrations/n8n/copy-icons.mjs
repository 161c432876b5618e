import { copyFileSync } from 'node:fs';

/** The compiler leaves pictures where they are. */
for (const file of ['nodes/Stayd/stayd.svg', 'nodes/Stayd/stayd.dark.svg']) copyFileSync(file, `dist/${file}`);
