import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALL_SCOPES } from '@meadow/contract'
import { createToken } from '../../../apps/server/src/access/team-tokens.ts'
import { createTokenSecret } from '../../../apps/server/src/access/tokens.ts'
import { changeTeam } from '../../../apps/server/src/team/team-transaction.ts'
import { listTeams } from '../../../apps/server/src/team/teams.ts'
import { createDataFolder } from '../../../apps/server/src/testing/data-folders.ts'
import { makeDemo } from '../../../apps/server/src/testing/make-demo.ts'
import { startServer } from '../../../apps/server/src/testing/start-server.ts'
import { until } from '../../../apps/server/src/testing/until.ts'
import { CLIENTS } from './testing/clients.ts'
import { QUESTIONS } from './testing/questions.ts'
import { startHttp } from './testing/start-mcp.ts'
import { estimateTokens } from './text/tokens.ts'

const SOLVED = ['Twisted tower', 'Circular basin (fails on purpose)']

describe('twenty questions about the demo', () => {
  test('[MCP-24] given a question, when the tools are called as its steps say, then the last answer has what was asked for, within its calls and tokens', async (t) => {
    const dataDir = await createDataFolder('meadow-questions-')
    await makeDemo(dataDir, SOLVED)
    const { address, database, get } = await startServer(t, { MEADOW_DATA_DIR: dataDir })
    const team = (await listTeams(database.read)).find(({ name }) => name.includes('demo'))!
    const secret = createTokenSecret()
    await changeTeam(database, team.key, (change) =>
      createToken(change, { name: 'agent', secret, scopes: ALL_SCOPES }),
    )
    const read = async (path: string) => (await get(path, { token: secret })).json
    await until(
      'all documents are indexed',
      async () => (await read('/documents?uses=x')).index.pending === 0,
    )
    for (const name of SOLVED) {
      const [{ id }] = (await read(`/documents?q=${encodeURIComponent(name)}`)).documents
      await until(`${name} is solved`, async () => {
        const { status } = await get(`/documents/${id}/solution`, { token: secret })
        return status === 200 || status === 502
      })
    }
    const { url } = await startHttp(t, address)
    const client = await CLIENTS[0].overHttp(t, url, secret)
    assert.equal(QUESTIONS.length, 20)
    for (const { asks, steps, answer, tokens } of QUESTIONS) {
      const answers: string[] = []
      for (const { tool, args = {} } of steps) {
        const { text } = await client.call(tool, typeof args === 'function' ? args(answers) : args)
        answers.push(text)
      }
      assert.match(answers.at(-1)!, answer, `${asks}\n${answers.at(-1)}`)
      assert.ok(steps.length <= 2, asks)
      const used = answers.reduce((sum, text) => sum + estimateTokens(text), 0)
      assert.ok(used <= tokens, `${asks}: ${used} of ${tokens} tokens`)
    }
  })
})
