import type { ConnectionStatus } from '../../client/status.ts';
import type { Alarm } from '../visit.ts';

/** Something that a person should know or do. */
export interface Problem {
  level: 'note' | 'problem' | 'alarm';
  about: string;
  says: string;
  remedy: string | null;
}

/** Returns the alarms of the machine and the troubles of a connection, each once, the worst first. */
export function problemsOf({ troubles, connection }: ConnectionStatus, alarms: readonly Alarm[]): Problem[] {
  const order = ['alarm', 'problem', 'note'];
  const ofConnection = new Set(troubles.map(({ about }) => `${about} of ${connection}`));
  const ofMachine = alarms.filter(({ alarm }) => !ofConnection.has(alarm));
  const all: Problem[] = [
    ...ofMachine.map(({ alarm, says, remedy }): Problem => ({ level: 'alarm', about: alarm, says, remedy })),
    ...troubles,
  ];
  return all.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

/** Returns the number of things that need a person, which every page says at its top. A pause is one of them. */
export function countNeeds(status: ConnectionStatus, alarms: readonly Alarm[]): number {
  const needs = problemsOf(status, alarms).filter(({ level }) => level !== 'note').length;
  return status.paused === null ? needs : Math.max(needs, 1);
}
