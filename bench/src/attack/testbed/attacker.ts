import { serveTasks } from '../../harness/processes.ts'
import type { AttackTarget, Strength } from '../attacks/attack.ts'
import { ATTACKS } from '../attacks/attacks.ts'

/** A task of the attacker's process. */
export interface AttackTask {
  name: string
  target: AttackTarget
  strength: Strength
}

// Sockets that the server closes may emit errors late, which must not end the attack.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE' || error.syscall !== undefined) return
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})

serveTasks<AttackTask>(({ name, target, strength }) =>
  ATTACKS.find((attack) => attack.name === name)!.run(target, strength),
)
