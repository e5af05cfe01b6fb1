import type { HostCalls, HostRequest } from './host-calls.ts'
import { arm, disarm, quietMs } from './injector.ts'

/* A process that runs servers and commands, one after the other, and in which a call can fail. */

// They load what was wrapped.
const { readConfig } = await import('@meadow/server/src/config.ts')
const { createLog } = await import('@meadow/server/src/platform/log.ts')
const { startService } = await import('@meadow/server/src/service.ts')
const { setTimeout: sleep } = await import('node:timers/promises')
const { runHere } = await import('@meadow/server/src/testing/run-here.ts')

type Service = Awaited<ReturnType<typeof startService>>
let service: Service | undefined
/** One for all, since each log waits for the process to end. */
const log = createLog('silent')

const calls: HostCalls = {
  async start(env) {
    service = await startService(readConfig(env), log)
    return service.address
  },
  async stop() {
    await service?.stop()
    service = undefined
  },
  command: runHere,
  async arm(folder, fault) {
    arm(folder, fault)
  },
  async disarm() {
    return disarm()
  },
  async quiet(ms) {
    while (quietMs() < ms) await sleep(ms / 2)
  },
}

// A service that was made to fail may reject where nobody waits.
process.on('unhandledRejection', (error) => process.send!({ fault: String(error) }))
process.on('message', async ({ id, name, given }: HostRequest) => {
  try {
    const result = await (calls[name] as (...given: unknown[]) => Promise<unknown>)(...given)
    process.send!({ id, result })
  } catch (error) {
    process.send!({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
process.on('disconnect', () => process.exit())
process.send!({ id: 0 })
