import type { AttackTarget, Strength } from './attack.ts'
import { ATTACKS } from './attacks.ts'
import { answerTasks } from './helper-process.ts'

/** What the attacker's process is asked for. */
export interface AttackTask {
  name: string
  target: AttackTarget
  strength: Strength
}

// Sockets that a server cuts in the middle of something may complain late; the attack goes on.
process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE' || error.syscall !== undefined) return
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})

answerTasks<AttackTask>(({ name, target, strength }) =>
  ATTACKS.find((attack) => attack.name === name)!.run(target, strength),
)
