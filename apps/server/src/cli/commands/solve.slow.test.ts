import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { givenDocuments } from '../../features/solves/testing/given-solves.ts'
import { circle, longList, points, scripted } from '../../features/solves/testing/graphs.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'

/** The operator's command over a team with these documents. */
async function open(t: TestContext, credits: number, contents: GraphContent[]) {
  const commandLine = await createCommandLine(t)
  const database = await openDatabase({ dataDir: commandLine.dataDir })
  const { team, documents } = await givenDocuments(database, credits, contents)
  await database.close()
  return { ...commandLine, team: team.id, documents: documents.map(({ id }) => id) }
}

describe('solves', { skip: noLauncher }, () => {
  test('[CLI-13] [CLI-15] given all documents of a team, when they are solved and waited for, then each one reports how it ended', async (t) => {
    const { start, run, team, documents } = await open(t, 100, [points(), circle()])
    start('work')
    const { code, stdout, stderr } = await run('solve', '--team', team, '--all', '--wait', '--json')
    assert.deepEqual([code, stderr], [1, ''])
    const { solves, asked, solved, complete, valuesComplete, partial, failed, givenUp, causes } =
      JSON.parse(stdout)
    assert.deepEqual(
      { asked, solved, complete, valuesComplete, partial, failed, givenUp, causes },
      { asked: 2, solved: 1, complete: 1, valuesComplete: 0, partial: 0, failed: 1, givenUp: 0, causes: [] },
    )
    const [good, bad] = documents.map((id) =>
      solves.find(({ documentId }: { documentId: string }) => documentId === id),
    )
    assert.deepEqual(
      [good.state, good.credits > 0, bad.state, bad.credits > 0],
      ['solved', true, 'failed', true],
    )
    assert.match(bad.reason, /^The wires of the document run in a circle/)
  })

  test('[CLI-13] given documents by their ids, when they are solved, then the failed one is reported, and the rest is counted', async (t) => {
    const { start, run, documents } = await open(t, 100, [points(), circle(), points()])
    start('work')
    const { code, stdout, stderr } = await run('solve', ...documents, documents[0]!, '--wait')
    assert.equal(code, 1)
    assert.match(
      stdout,
      /^Solved 2 of 3 in [\d.]+ s, 1 failed\.\n\nResult +Documents\ncomplete +2\nall values +0\npartial +0\nfailed +1\n$/,
    )
    assert.match(stderr, /^! "Document 1" \(doc_\w+\) has no solution: The wires .*\.\n$/)
  })

  test('[CLI-13] given documents with components that are not supported, when they are solved, then the partial ones are counted, and the causes named', async (t) => {
    const { start, run, team } = await open(t, 100, [scripted(2), scripted(1), points()])
    start('work')
    const { code, stdout } = await run('solve', '--team', team, '--all', '--wait')
    assert.equal(code, 0)
    assert.match(stdout, /\ncomplete +1\nall values +0\npartial +2\nfailed +0\n/)
    assert.match(
      stdout,
      /\nDocuments +Nodes +Not solved, most frequent first\n2 +3 +C# Script: Scripts are not run\n$/,
    )
    const again = JSON.parse((await run('solve', '--team', team, '--all', '--wait', '--json')).stdout)
    assert.deepEqual(again.causes, [{ cause: 'C# Script: Scripts are not run', nodes: 3, documents: 2 }])
    const [first] = again.solves
    assert.equal(typeof first.completeness.isComplete, 'boolean')
  })

  test("[CLI-13] given no wish to wait, when documents are solved, then their solutions' ids are printed at once", async (t) => {
    const { run, json, documents } = await open(t, 100, [points(), points()])
    const { code, stdout, stderr } = await run('solve', ...documents)
    assert.deepEqual([code, stderr], [0, 'Solves asked for: 2.\n'])
    assert.match(stdout, /^(sol_\w+\n){2}$/)
    const again = await json('solve', documents[0]!)
    assert.deepEqual(again, {
      solves: [{ id: stdout.split('\n')[0], documentId: documents[0], state: 'queued' }],
      asked: 1,
    })
  })

  test('[CLI-13] given what cannot be solved, when it is requested, then a sentence says why', async (t) => {
    const { run, team, documents } = await open(t, 0, [points()])
    const cases: [string[], number, RegExp][] = [
      [['solve', documents[0]!], 1, /^Error: The team of "Document 0" has no credits left, .*\.\n$/],
      [['solve', '--team', team, '--all', '--wait'], 1, /has no credits left/],
      [['solve', documents[0]!, 'doc_none'], 1, /^Error: There is no document "doc_none"\.\n$/],
      [['solve', '--team', 'nobody', '--all'], 1, /^Error: There is no team "nobody"\./],
      [['solve'], 2, /^Error: Name documents, or say --team ID with --all or --outdated\. See .*\n$/],
      [['solve', '--team', team], 2, /Name documents/],
      [['solve', documents[0]!, '--all', '--team', team], 2, /Name documents/],
      [['work', '--workers', '0'], 2, /must be a whole number from 1 to 256/],
    ]
    const responses = await Promise.all(cases.map(([args]) => run(...args)))
    for (const [i, { code, stdout, stderr }] of responses.entries()) {
      assert.deepEqual([code, stdout], [cases[i]![1], ''])
      assert.match(stderr, cases[i]![2])
    }
  })

  test('[CLI-13] given no solver, when solves are waited for, then that is reported, and Ctrl-C ends the waiting', async (t) => {
    const { start, json, team, documents } = await open(t, 100, [longList(3)])
    const waiting = start('solve', '--team', team, '--all', '--wait')
    await waiting.wrote('stderr')
    waiting.kill('SIGINT')
    const { code, stdout, stderr } = await waiting.finished
    assert.equal(code, 130)
    assert.match(stdout, /^Solved 0 of 1 in [\d.]+ s, 1 still under way\.\n$/)
    assert.match(stderr, /^! Nothing was begun yet: is a server running.*\n! Not waiting any longer.*\n$/)
    const { solves } = await json('solve', documents[0]!)
    assert.equal(solves.length, 1)
  })

  test('[CLI-14] given a team, when it is given credits, then it has them', async (t) => {
    const { run, json, team } = await open(t, 5, [])
    assert.deepEqual(await json('team', 'credits', team), { id: team, credits: 5 })
    const { code, stdout, stderr } = await run('team', 'credits', team, '--add', '3600')
    assert.deepEqual([code, stdout, stderr], [0, '3605.0\n', 'Team "Acme" has 3,600 credits more.\n'])
    assert.equal((await json('team', 'credits', team)).credits, 3605)
    const wrong = await Promise.all(
      ['0', '-1', '1.5', 'many'].map((add) => run('team', 'credits', team, '--add', add)),
    )
    for (const { code } of wrong) assert.equal(code, 2)
    const tooMany = await run('team', 'credits', team, '--add', '1000000000')
    assert.deepEqual(
      [tooMany.code, tooMany.stderr],
      [1, 'Error: A team can have 1,000,000,000 credits at most.\n'],
    )
  })
})
