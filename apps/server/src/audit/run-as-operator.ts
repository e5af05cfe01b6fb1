import { hostname, userInfo } from 'node:os'
import { runIn } from './request-context.ts'

/** Runs an operator's command so that the events that it records are by the person at this machine. */
export const runAsOperator = <T>(command: string, work: () => T): T =>
  runIn({ actor: { kind: 'operator', name: `${findUserName()}@${hostname()}` }, command }, work)

/** Returns the name of the user, or the number: a process in a container may have no name. */
function findUserName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
