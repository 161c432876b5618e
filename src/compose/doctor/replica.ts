import type { Config } from '../../config.ts';
import { messageOf } from '../../kernel/errors.ts';
import { standingOf, type Standing } from '../../store/replica.ts';
import { readRows } from '../../store/queries/readRows.ts';
import { MOST_BEHIND_S } from '../mirror/reportReader.ts';
import { replicaOf } from '../stores/stores.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const CHECK = 'replica';
const INSTEAD = 'so reports are read from the database itself';

/** Checks the replica that reports are read from; without one there is nothing to find. */
export async function lookAtReplica(config: Config): Promise<Finding[]> {
  const location = replicaOf(config);
  if (!location) return [];
  let standing: Standing;
  try {
    standing = await readRows(location, standingOf);
  } catch (error) {
    return [problem(CHECK, `it cannot be read, ${INSTEAD}: ${messageOf(error)}`, 'check database_replica_url')];
  }
  const { isReplica, behindSeconds } = standing;
  if (!isReplica) {
    return [note(CHECK, `database_replica_url leads to a server that takes writes itself, ${INSTEAD}`, 'leave it out')];
  }
  if (behindSeconds === null || behindSeconds > MOST_BEHIND_S) {
    const age = behindSeconds === null ? 'has never followed' : `is ${behindSeconds} s behind`;
    return [problem(CHECK, `it ${age}, ${INSTEAD}`, 'look into its log: is it connected to its primary?')];
  }
  return [ok(CHECK, `reports are read from it; it is ${behindSeconds} s behind`)];
}
