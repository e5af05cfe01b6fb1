import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openLive, renameNode } from '@meadow/client/live'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { createFolder, LONG_AGO, putFile } from '../../testing/definition-folder.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'

describe('importing again what was edited', { skip: noLauncher }, () => {
  test('[IMP-20, IMP-21, CLI-3] given a document that an agent has edited, when its changed file is imported beside the server, then the conflict is reported, and replacing is seen by the agent', async (t) => {
    const { run, json, start } = await createCommandLine(t, { MEADOW_PORT: '0', MEADOW_SOLVE_WORKERS: '0' })
    const { id: team } = await json('team', 'create', 'Acme')
    await json('user', 'create', '--email', 'agent@example.org', '--name', 'Agent', '--team', team)
    const { cookie } = await json('session', 'create', '--user', 'agent@example.org')
    const folder = await createFolder(t, { 'tower.gh': createDefinitionFile({ text: 'old' }) })
    const [{ documentId }] = (await json('import', folder, '--team', team)).files
    const { address } = JSON.parse(await start('serve', '--json').firstLine())

    const live = await openLive({ address, documentId, cookie, timeoutMs: 30_000 })
    t.after(() => live.close())
    const [node] = Object.keys(live.read().nodes)
    live.edit((doc) => renameNode(doc, node!, 'Mine'))
    await live.durable()
    await putFile(folder, 'tower.gh', createDefinitionFile({ text: 'new' }), LONG_AGO + 1000)

    const conflicted = await run('import', folder, '--team', team, '--json')
    assert.equal(conflicted.code, 1)
    const { files, conflict, failed } = JSON.parse(conflicted.stdout)
    assert.deepEqual(files, [{ path: 'tower.gh', outcome: 'conflict', documentId }])
    assert.deepEqual([conflict, failed], [1, 0])
    const reported = await run('import', folder, '--team', team)
    assert.match(reported.stderr, /tower\.gh was not imported: its document \(doc_\w+\) was edited since/)
    assert.match(reported.stdout, /documents were edited: 1\./)
    assert.equal((await run('import', folder, '--team', team, '--on-conflict', 'ask')).code, 2)

    const changed = new Promise((resolve) => live.on('change', resolve))
    const replaced = await run('import', folder, '--team', team, '--on-conflict', 'replace')
    assert.equal(replaced.code, 0)
    assert.match(replaced.stderr, /replaced what was edited of its document/)
    await changed
    assert.match(JSON.stringify(live.read().nodes[node!]!.values), /new/)
  })
})
