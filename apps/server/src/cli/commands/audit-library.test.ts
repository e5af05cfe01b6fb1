import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  addition,
  graphOf,
  kangaroo,
  reference,
  script,
  slider,
} from '../../features/library-search/testing/library-nodes.ts'
import { createDocument, type NewDocument } from '../../library/documents.ts'
import { cleanName } from '../../platform/database/names.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { listTeams } from '../../team/teams.ts'
import { givenTeam } from '../../testing/given-team.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'

const OBJECT = 'cccccccc-0000-4000-8000-000000000001'
const YEAR_MS = 365 * 24 * 3600 * 1000

/** The operator's command over a team, whose documents are made by `fill`. */
async function open(t: TestContext, fill: (create: Create) => Promise<void>) {
  const commandLine = await createCommandLine(t)
  const database = await openDatabase({ dataDir: commandLine.dataDir })
  const { team, root, folder } = await givenTeam(database)
  await fill(async (name, content, { folder: inFolder, ...facts } = {}) => {
    const { key } = inFolder === undefined ? root : await folder(inFolder)
    const bytes = Buffer.from(JSON.stringify(content))
    const now = Date.now()
    const made = {
      folder: key,
      name: cleanName(name),
      createdAt: now,
      updatedAt: now,
      content: { kind: 'inline', bytes } as const,
      ...facts,
    }
    const document = await changeTeam(database, team, (change) => createDocument(change, made))
    // As a name that was given before hidden characters were refused.
    await database.transaction((write) =>
      write.updateTable('document').set({ name }).where('public_id', '=', document.id).execute(),
    )
  })
  const { id } = (await listTeams(database.read))[0]!
  await database.close()
  return { ...commandLine, id }
}

type Create = (
  name: string,
  content: object,
  facts?: Partial<Omit<NewDocument, 'folder'>> & { folder?: string },
) => Promise<void>

describe('audits', { skip: noLauncher }, () => {
  test('[CLI-34, CLI-35, CLI-36] given a library, when it is audited, then the report has what is used, unsolvable, repeated, stale and missing, in the same order each time', async (t) => {
    const { run, json, id } = await open(t, async (create) => {
      await create('Old', graphOf(kangaroo('2.42'), slider()), { updatedAt: Date.now() - 2 * YEAR_MS })
      await create('New', graphOf(kangaroo('2.5'), kangaroo('2.5'), script('import numpy')))
      await create('Tower', graphOf(addition(), slider()), { folder: 'A' })
      await create('Copy of a tower', graphOf(slider(), addition()), { folder: 'B' })
      await create('Site', graphOf(reference(OBJECT)))
    })
    const { at, ...report } = await json('audit-library', '--team', id)
    assert.deepEqual(report.documents, { total: 5, unread: 0, partial: 0 })
    const [plugin] = report.plugins
    assert.deepEqual([plugin.name, plugin.documents, plugin.nodes, plugin.isMixed], ['Kangaroo2', 2, 3, true])
    assert.deepEqual(plugin.versions, [
      { version: '2.42', documents: 1, nodes: 1 },
      { version: '2.5', documents: 1, nodes: 2 },
    ])
    assert.deepEqual(
      report.unsolvable.map(({ component, kind, version, nodes }: Record<string, unknown>) => [
        component,
        kind,
        version,
        nodes,
      ]),
      [
        ['Bouncy Solver', 'plugin', '2.5', 2],
        ['Bouncy Solver', 'plugin', '2.42', 1],
        ['GhPython Script', 'script', null, 1],
      ],
    )
    assert.deepEqual(
      report.duplicates.map(({ documents, ...group }: { documents: { name: string; folder: string }[] }) => [
        group,
        documents.map(({ folder, name }) => `${folder} / ${name}`),
      ]),
      [[{ nodes: 2, isSameFile: false }, ['A / Tower', 'B / Copy of a tower']]],
    )
    const names = (list: { name: string }[]) => list.map(({ name }) => name)
    assert.deepEqual([names(report.stale), report.stale[0].solvedAt], [['Old'], null])
    assert.deepEqual(
      report.missingModels.map(({ name, objects, missing }: Record<string, unknown>) => [
        name,
        objects,
        missing,
      ]),
      [['Site', 1, 1]],
    )
    assert.deepEqual([report.solves.never, report.failures, report.gaps], [5, [], []])

    const { at: again, ...same } = await json('audit-library', '--team', id)
    assert.deepEqual(same, report)
    assert.ok(again >= at)
    const wider = await json('audit-library', '--team', id, '--unchanged-days', '1000')
    assert.deepEqual(wider.stale, [])

    const text = await run('audit-library', '--team', id)
    assert.deepEqual([text.code, text.stderr], [0, ''])
    assert.match(
      text.stdout,
      /^Kangaroo2 +2 +3 +2.5 \(1\), 2.42 \(1\)$|^Kangaroo2 +2 +3 +2.42 \(1\), 2.5 \(1\)$/m,
    )
    for (const line of text.stdout.split('\n')) assert.ok([...line].length <= 80, line)
  })

  test('[CLI-35, CLI-36] given long and hostile names and a document that is damaged, when the library is audited as text, then lines stay short and printable, and the exit code is 1', async (t) => {
    const { run, id } = await open(t, async (create) => {
      for (let i = 0; i < 12; i++)
        await create(`${'Fassade '.repeat(20)}\u001b[31m ${i}`, graphOf(reference(OBJECT), slider()))
      await create('Damaged', { nodes: null })
    })
    const { code, stdout, stderr } = await run('audit-library', '--team', id)
    assert.equal(code, 1)
    assert.match(stderr, /could not be read/)
    assert.match(stdout, /1 could not be read/)
    assert.match(stdout, /… and 2 more: --json has all/)
    assert.ok(!stdout.includes('\u001b'))
    for (const line of stdout.split('\n')) assert.ok([...line].length <= 80, line)
  })

  test('[CLI-34] given a wrong team or number of days, when the library is audited, then the reason is said', async (t) => {
    const { run, id } = await open(t, async () => {})
    const missing = await run('audit-library', '--team', 'team_missing')
    assert.deepEqual([missing.code, missing.stdout], [1, ''])
    assert.match(missing.stderr, /There is no team "team_missing"/)
    const wrong = await run('audit-library', '--team', id, '--unchanged-days', 'soon')
    assert.equal(wrong.code, 2)
    const empty = await run('audit-library', '--team', id)
    assert.equal(empty.code, 0)
    assert.match(empty.stdout, /0 documents on \d{4}-\d\d-\d\d/)
  })
})
