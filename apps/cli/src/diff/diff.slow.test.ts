import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { GraphContent } from '@meadow/document'
import { writeDefinition } from '../../../../packages/grasshopper/src/index.ts'
import { buildNode } from '../../../../packages/grasshopper/src/testing/build-node.ts'
import { createHistoryWork } from '../../../server/src/content/history/history-work.ts'
import { keepVersions } from '../../../server/src/content/history/keep-versions.ts'
import { nameVersion } from '../../../server/src/content/history/version-changes.ts'
import { createMeadowCommand } from '../testing/run-meadow.ts'
import { startTeam } from '../testing/start-team.ts'

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'

/** A definition with two components and a group. */
function createDefinition(nickName: string, label: string, x = 0): Uint8Array {
  const nodes = [
    buildNode(ADDITION, 100, { nickName, position: { x, y: 0 } }),
    buildNode(ADDITION, 200, { position: { x: 400, y: 0 } }),
  ]
  const content: GraphContent = {
    nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
    groups: [
      {
        id: 'b5a4bd2c-24ad-44a6-9a14-5f3b0a0f8f00',
        label,
        colour: '#aa87ff96',
        nodeInstanceIds: [],
        groupIds: [],
      },
    ],
    configuration: { inputs: [], outputs: [] },
  }
  return writeDefinition({ name: 'Tower', ...content }).bytes
}

/** A folder with `old.gh`, `new.gh` (another name and label) and `moved.gh` (a drag), and a way to run the command there. */
async function startFiles(t: TestContext) {
  const command = await createMeadowCommand(t)
  const folder = join(command.home, 'work')
  mkdirSync(folder)
  writeFileSync(join(folder, 'old.gh'), createDefinition('Sum', 'Inputs'))
  writeFileSync(join(folder, 'new.gh'), createDefinition('Total', 'Outputs'))
  writeFileSync(join(folder, 'moved.gh'), createDefinition('Sum', 'Inputs', 40))
  const run = (...args: string[]) =>
    command.start(process.execPath, [command.launcher, 'diff', ...args], { cwd: folder }).finished
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: folder })
  return { ...command, folder, run, git }
}

const CHANGED = `~ Sum was renamed to Total
~ The group "Inputs" was relabelled "Outputs"

2 changes.
`

describe('diff', () => {
  test('[CMD-60] [CMD-61] given two files, when compared, then the changes are printed without a token, and the code is 1', async (t) => {
    const { run } = await startFiles(t)
    assert.deepEqual(await run('old.gh', 'new.gh'), { code: 1, stdout: CHANGED, stderr: '' })
    assert.deepEqual(await run('old.gh', 'old.gh'), { code: 0, stdout: '', stderr: 'No changes.\n' })
  })

  test('[CMD-61] given a file in which something was dragged, when compared, then only --layout calls it different', async (t) => {
    const { run } = await startFiles(t)
    const without = await run('old.gh', 'moved.gh')
    assert.deepEqual([without.code, without.stdout], [0, ''])
    const { code, stdout } = await run('old.gh', 'moved.gh', '--layout')
    assert.deepEqual(
      [code, stdout],
      [1, 'Layout\n~ Sum was moved by +40, 0\n\n0 changes, 1 of the layout.\n'],
    )
  })

  test('[CMD-60] given a git repository, when a file is compared with commits, then git finds them', async (t) => {
    const { folder, run, git } = await startFiles(t)
    git('init', '--quiet', '--initial-branch=main')
    const file = join(folder, 'tower.gh')
    for (const nickName of ['Sum', 'Total']) {
      writeFileSync(file, createDefinition(nickName, 'Inputs'))
      git('add', 'tower.gh')
      git('commit', '--quiet', '--message', nickName)
    }
    writeFileSync(file, createDefinition('End', 'Inputs'))
    const last = '~ Total was renamed to End\n\n1 change.\n'
    const both = '~ Sum was renamed to Total\n\n1 change.\n'
    for (const [args, expected] of [
      [['tower.gh'], last],
      [['HEAD', 'tower.gh'], last],
      [['HEAD:tower.gh', 'tower.gh'], last],
      [['HEAD~1', 'HEAD', 'tower.gh'], both],
      [['main~1:tower.gh', 'HEAD:./tower.gh'], both],
    ] as const) {
      assert.deepEqual([(await run(...args)).stdout, args], [expected, args])
    }
    const missing = await run('HEAD:none.gh', 'tower.gh')
    assert.deepEqual([missing.code, missing.stdout], [4, ''])
    assert.match(missing.stderr, /git has no "HEAD:none.gh"/)
  })

  test('[CMD-62] given two files, when JSON or a patch is wanted, then that is printed', async (t) => {
    const { folder, runWith } = await startFiles(t)
    const [older, newer] = [join(folder, 'old.gh'), join(folder, 'new.gh')]
    const { stdout } = await runWith({}, 'diff', older, newer, '--json')
    const { changes, layoutCount } = JSON.parse(stdout)
    assert.deepEqual(
      changes.map(({ kind }: { kind: string }) => kind),
      ['node_renamed', 'group_renamed'],
    )
    assert.equal(layoutCount, 0)
    const patch = JSON.parse((await runWith({}, 'diff', older, newer, '--patch')).stdout)
    assert.equal(patch.format, 'meadow-patch')
  })

  test('[CMD-7] given a terminal, when files are compared, then the lines have colours, unless NO_COLOR', async (t) => {
    const { folder, runWith } = await startFiles(t)
    const args = ['diff', join(folder, 'old.gh'), join(folder, 'new.gh')]
    const { stdout } = await runWith({ columns: 80 }, ...args)
    assert.ok(stdout.startsWith('\u001b[33m~ Sum was renamed to Total\u001b[39m\n'), stdout)
    assert.equal((await runWith({ columns: 80, env: { NO_COLOR: '1' } }, ...args)).stdout, CHANGED)
  })

  test('[CMD-61] given what cannot be compared, when compared, then the code is above 1 and the error says why', async (t) => {
    const { folder, run } = await startFiles(t)
    writeFileSync(join(folder, 'broken.gh'), createDefinition('Sum', 'Inputs').subarray(0, 200))
    writeFileSync(join(folder, 'other.json'), '{"nodes":1}')
    for (const [args, code, message] of [
      [['broken.gh', 'old.gh'], 2, /"broken.gh" is no definition that can be read/],
      [['other.json', 'old.gh'], 2, /"other.json" is JSON, but no document/],
      [['none.gh', 'old.gh'], 4, /There is no file "none.gh"/],
      [['none'], 2, /name two things, or a file/],
      [['a', 'b', 'old.gh'], 2, /"a" is no revision/],
      [['Tower', 'old.gh'], 3, /There is no token/],
    ] as const) {
      const ended = await run(...args)
      assert.deepEqual([ended.code, ended.stdout], [code, ''], ended.stderr)
      assert.match(ended.stderr, message)
    }
  })

  test('[CMD-60] given a document of the service, when it, its versions, a file and nothing of that name are compared, then they are found as by other commands', async (t) => {
    const { run, json, home, ids, keyOf, change, database, service } = await startTeam(t, [
      'A/Tower',
      'A/mail@tower',
    ])
    const document = await json('get', 'Tower')
    const [id] = Object.keys(document.nodes)
    document.nodes[id!].nickName = 'Renamed'
    const file = join(home, 'tower.json')
    writeFileSync(file, JSON.stringify(document))
    const { code, stdout } = await run('diff', 'A/Tower', file)
    assert.equal(code, 1)
    assert.match(stdout, /was renamed to Renamed\n\n1 change\.\n$/)
    assert.equal((await run('diff', 'Tower', document.id)).code, 0)

    const tower = await keyOf(ids['A/Tower']!)
    const kept = await keepVersions(
      { database, blobs: service.blobs, history: createHistoryWork(service.blobs) },
      tower,
      'manual',
    )
    await change((team) => nameVersion(team, kept!.key, 'As @ first', null))
    const bytes = Buffer.from(JSON.stringify(document))
    await database.transaction((write) =>
      write
        .updateTable('document_snapshot')
        .set({ content: bytes, seq: 2 })
        .where('document_id', '=', tower)
        .execute(),
    )
    await database.transaction((write) =>
      write.updateTable('document').set({ seq: 2 }).where('id', '=', tower).execute(),
    )
    const newer = await keepVersions(
      { database, blobs: service.blobs, history: createHistoryWork(service.blobs) },
      tower,
      'manual',
    )
    const { versions } = await json('api', `/documents/${ids['A/Tower']}/versions`)
    assert.deepEqual(
      versions.map(({ seq, name }: { seq: number; name: string }) => [seq, name]),
      [
        [2, null],
        [1, 'As @ first'],
      ],
    )
    for (const first of ['Tower@1', 'A/Tower@As @ first', `${document.id}@${versions[1].id}`]) {
      for (const second of ['Tower', `Tower@${newer!.seq}`, file]) {
        const compared = await run('diff', first, second)
        assert.deepEqual([compared.code, compared.stdout], [1, stdout], `${first} ${second}`)
      }
    }
    assert.equal((await run('diff', 'mail@tower', ids['A/mail@tower']!)).code, 0)
    for (const [wrong, says] of [
      ['Tower@3', /has no version with the id, number or name "3"/],
      ['None@3', /Could not find a document with the id, name or path "None"/],
      ['Tower@', /Could not find a document with the id, name or path "Tower@"/],
    ] as const) {
      const ended = await run('diff', wrong, file)
      assert.equal(ended.code, 4)
      assert.match(ended.stderr, says)
    }
    await change((team) => nameVersion(team, newer!.key, 'As @ first', null))
    const several = await run('diff', 'Tower@As @ first', file)
    assert.equal(several.code, 2)
    assert.match(several.stderr, /Several versions are called "As @ first". Name one by its number: 2, 1\./)
  })
})
