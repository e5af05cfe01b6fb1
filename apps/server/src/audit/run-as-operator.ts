import { hostname, userInfo } from 'node:os'
import { runFrom } from './origin.ts'

/** Runs an operator's command: what it records is by the person at this machine. */
export const runAsOperator = <T>(command: string, work: () => T): T =>
  runFrom({ actor: { kind: 'operator', name: `${findUserName()}@${hostname()}` }, command }, work)

/** A process in a container may have a number and no name. */
function findUserName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
