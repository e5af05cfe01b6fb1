import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { findCode } from '../platform/system-errors.ts'

/** Below all that systems hand out by themselves, which is from 32768 (Linux) or 49152 on. */
const [FIRST, END] = [20_000, 30_000]

/**
 * A port that nothing listens on, for a server whose port others have to know before, or that comes back to it: no other
 * test is handed the same one while the server is away.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    // Windows keeps whole ranges for itself.
    if (findCode(error) === 'EADDRINUSE' || findCode(error) === 'EACCES') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
