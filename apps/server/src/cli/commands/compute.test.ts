import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startComputeServer } from '../../features/solves/testing/compute-server.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'

interface Check {
  what: string
  isRight: boolean
}

describe('compute check', { skip: noLauncher }, () => {
  test('[CLI-27] given a Rhino.Compute server, when it is checked, then values of every type came back right', async (t) => {
    const server = await startComputeServer(t, { key: 'open-sesame' })
    const env = { MEADOW_COMPUTE_URL: server.url, MEADOW_COMPUTE_KEY: 'open-sesame' }
    const { run, json } = await createCommandLine(t, env)
    const { url, checks }: { url: string; checks: Check[] } = await json('compute', 'check')
    assert.equal(url, server.url)
    assert.deepEqual(
      checks.filter(({ isRight }) => !isRight),
      [],
    )
    assert.ok(checks.length > 15)
    const { code, stdout, stderr } = await run('compute', 'check')
    assert.equal(code, 0)
    assert.match(stdout, /^returns colours +right$/m)
    assert.equal(stderr, 'The server answers as Meadow expects.\n')
  })

  test('[CLI-27] given a server that leaves out empty branches, and one that changes numbers, when they are checked, then what differs is reported', async (t) => {
    const withoutEmpty = await startComputeServer(t, {
      alter: ({ values }) => {
        for (const { InnerTree: tree } of values)
          for (const [path, items] of Object.entries(tree)) if (items.length === 0) delete tree[path]
      },
    })
    const first = await createCommandLine(t, { MEADOW_COMPUTE_URL: withoutEmpty.url })
    const wrongOf = (stdout: string) =>
      (JSON.parse(stdout).checks as Check[]).filter(({ isRight }) => !isRight).map(({ what }) => what)
    const one = await first.run('compute', 'check', '--json')
    // Values that are not sent themselves are found by their empty branches.
    assert.deepEqual([one.code, wrongOf(one.stdout)], [1, ['returns domains', 'returns colours']])

    const rounding = await startComputeServer(t, {
      alter: ({ values }) => {
        for (const { InnerTree: tree } of values)
          for (const item of Object.values(tree).flat())
            if (item.type === 'System.Double') item.data = Number(item.data).toFixed(2)
      },
    })
    const second = await createCommandLine(t, { MEADOW_COMPUTE_URL: rounding.url })
    const two = await second.run('compute', 'check', '--json')
    assert.deepEqual([two.code, wrongOf(two.stdout)], [1, ['returns numbers and nulls', 'returns domains']])
  })

  test('[CLI-27] given a Rhino.Compute server, when all definitions are sent, then each result is right, and one that is not is reported', async (t) => {
    const server = await startComputeServer(t)
    const right = await createCommandLine(t, { MEADOW_COMPUTE_URL: server.url })
    const { stdout, code } = await right.run('compute', 'check', '--full')
    for (const what of [
      'computes with data trees',
      'computes with nulls',
      'unites solids',
      'says which component has an error',
      'leaves out what depends on a missing component',
      'solves what does not depend on it',
    ])
      assert.match(stdout, new RegExp(`^${what} +right$`, 'm'))
    assert.equal(code, 0)
    assert.equal(server.requests.length, 6)

    const silent = await startComputeServer(t, { alter: (body) => delete body.errors })
    const wrong = await createCommandLine(t, { MEADOW_COMPUTE_URL: silent.url })
    const silenced = await wrong.run('compute', 'check', '--full')
    assert.equal(silenced.code, 1)
    assert.match(silenced.stdout, /^says which component has an error +WRONG$/m)
  })

  test('[CLI-27] given no server, or one that rejects the key, when it is checked, then the command says so', async (t) => {
    const none = await createCommandLine(t)
    assert.deepEqual(await none.run('compute', 'check'), {
      code: 1,
      stdout: '',
      stderr: 'Error: There is no Rhino.Compute server: MEADOW_COMPUTE_URL is not set.\n',
    })
    const server = await startComputeServer(t, { key: 'open-sesame' })
    const wrong = await createCommandLine(t, { MEADOW_COMPUTE_URL: server.url, MEADOW_COMPUTE_KEY: 'hush' })
    assert.deepEqual(await wrong.run('compute', 'check'), {
      code: 1,
      stdout: '',
      stderr: 'Error: The Rhino.Compute server rejected the key.\n',
    })
  })
})
