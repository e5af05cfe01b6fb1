import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { findFreePort } from '../../testing/find-free-port.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { runCrashes } from './testing/crash-runs.ts'

/** One after any time, and one at the moment of an acknowledgement; `npm run simulate` does so in thousands of histories. */
const KILLS = 2

for (const kind of FEATURE_DATABASES) {
  const options = { skip: noLauncher || kind.options.skip }
  describe(`a server that is killed, on ${kind.name}`, options, () => {
    test('[LIV-3] given several editors, when the server is killed again and again, then every acknowledged edit is stored', async (t) => {
      const { databaseUrl } = await kind.createLocation(t)
      const port = await findFreePort()
      const { json, start } = await createCommandLine(t, {
        MEADOW_PORT: String(port),
        MEADOW_SOLVE_WORKERS: '0',
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      })
      const { id: team } = await json('team', 'create', 'Acme')
      await json('user', 'create', '--email', 'ann@example.org', '--name', 'Ann', '--team', team)
      const { cookie } = await json('session', 'create', '--user', 'ann@example.org')
      const folder = await createFolder(t, { 'tower.gh': createDefinitionFile({ panels: 3 }) })
      const { files } = await json('import', folder, '--team', team)
      let total = 0
      const content = await runCrashes({
        documentId: files[0].documentId,
        cookie,
        kills: KILLS,
        editors: 3,
        async start() {
          const server = start('serve', '--json')
          const { address } = JSON.parse(await server.firstLine())
          return {
            address,
            async kill() {
              server.kill('SIGKILL')
              await server.finished
            },
          }
        },
        onKilled(acknowledged, missing) {
          total += acknowledged
          assert.deepEqual(missing, [])
        },
      })
      assert.ok(total >= KILLS, `${total} edits were acknowledged`)
      assert.ok(Object.keys(content.nodes).length >= 3)
    })
  })
}
