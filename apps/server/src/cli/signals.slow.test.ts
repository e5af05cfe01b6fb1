import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine, noLauncher } from '../testing/meadow-server.ts'

const SECOND_SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

for (const [name, expected] of Object.entries(SECOND_SIGNALS)) {
  test(`[CLI-3] given a server that is still stopping, when ${name} comes again, then it ends at once, with ${expected}`, {
    skip: noLauncher,
  }, async (t) => {
    // After the first one it goes on responding for an hour.
    const { start } = await createCommandLine(t, { MEADOW_PORT: '0', MEADOW_STOP_NOTICE_SECONDS: '3600' })
    const server = start('serve')
    await server.wrote('stdout', 'Meadow listens at')
    server.kill('SIGTERM')
    await server.wrote('stderr', 'again to stop at once')
    server.kill(name as keyof typeof SECOND_SIGNALS)
    assert.equal((await server.finished).code, expected)
  })
}
