import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { until } from '../../testing/until.ts'

test('[DEMO-13, DEMO-14] given no team yet, when the server starts with the demo, then its documents are solved, and every state can be seen', {
  skip: noLauncher,
}, async (t) => {
  const { start, json, shell } = await createCommandLine(t, { MEADOW_PORT: '0' })
  const server = start('serve', '--demo', '--json')
  const { address, token, team, solutions } = JSON.parse(await server.firstLine())
  const statusOf = async (id: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${address}/api/v1/documents/${id}/solution`, { headers })).status
  }
  const expected = { solved: 200, failed: 502, never: 409 }
  for (const { id, state } of solutions as { id: string; state: keyof typeof expected }[]) {
    await until(
      `the document that is ${state} answers so`,
      async () => (await statusOf(id)) === expected[state],
    )
  }
  assert.deepEqual(solutions.map(({ state }: { state: string }) => state).toSorted(), [
    'failed',
    'never',
    'solved',
  ])
  const curl = await shell(`${solutions[0].try} --silent --output /dev/null --write-out '%{http_code}'`)
  assert.match(curl.stdout, /^(200|409|502)$/)

  const headers = { authorization: `Bearer ${token}` }
  const { documents } = (await (await fetch(`${address}/api/v1/documents`, { headers })).json()) as {
    documents: { id: string; name: string }[]
  }
  assert.equal(documents.length, 15)
  const counts = new Map<number, number>()
  for (const { id } of documents) {
    const status = await until('its solve has ended', async () => {
      const status = await statusOf(id)
      return status !== 202 && status
    })
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  assert.deepEqual(Object.fromEntries(counts), { 200: 13, 409: 1, 502: 1 })
  const { credits } = await json('team', 'credits', team)
  assert.ok(credits > 0 && credits < 36_000)
})
