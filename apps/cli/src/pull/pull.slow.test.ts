import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join, relative } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Meadow } from '@meadow/client'
import type { DocumentId, SolutionId } from '@meadow/contract'
import { moveDocument, renameDocument } from '../../../server/src/library/documents.ts'
import { renameFolder } from '../../../server/src/library/folders.ts'
import { createFolder } from '../testing/start-meadow.ts'
import { startTeam } from '../testing/start-team.ts'
import type { Format } from './formats.ts'
import { type PullOptions, pull } from './pull.ts'

/** A team, an empty folder, and a client that notes its requests. */
async function startMirror(t: TestContext, paths: readonly string[]) {
  const team = await startTeam(t, paths)
  const target = await createFolder(t)
  const sent: string[] = []
  const meadow = new Meadow({
    baseUrl: team.address,
    token: team.secret,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      const path = new URL(String(input)).pathname.replace('/api/v1', '')
      sent.push(`${path.replace(/(doc|fld)_\w+/, '$1')} ${response.status}`)
      return response
    },
  })
  /** Pulls, and returns what has changed in words, and the requests. */
  async function pullInto(formats: Format[] = ['json', 'csv'], options: Partial<PullOptions> = {}) {
    sent.length = 0
    const summary = await pull(meadow, {
      ...{
        target,
        folderId: 'root',
        formats,
        keep: false,
        allowNarrower: false,
        verify: false,
        concurrency: 4,
      },
      ...{ signal: new AbortController().signal, run: async (work) => work(), onDone: () => {}, ...options },
    })
    return { ...summary, words: summary.changes.map(describeChange), sent: [...sent] }
  }
  const files = async () =>
    (await readdir(target, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1))
      .filter((path) => !path.startsWith('.meadow'))
      .sort()
  const read = (path: string) => readFile(join(target, path), 'utf8')
  /** Changes it, but not its values, and has its old name in the end. */
  async function touch(path: string) {
    const key = await team.keyOf(team.ids[path]!)
    for (const name of ['Another', path.split('/').at(-1)!])
      await team.change((write) => renameDocument(write, key, name))
  }
  /** Gives other documents a solution with the same values. */
  async function copySolution(solution: SolutionId, others: readonly DocumentId[]) {
    const { id: _, ...row } = await team.readRow(solution)
    await team.database.transaction(async (write) => {
      for (const [index, id] of others.entries()) {
        const key = write.selectFrom('document').where('public_id', '=', id).select('id')
        const { id: document_id } = await key.executeTakeFirstOrThrow()
        const copy = { ...row, document_id, public_id: `sol_copy${index}` as SolutionId }
        await write.insertInto('solve').values(copy).execute()
      }
    })
  }
  const remove = (id: DocumentId) =>
    team.change(({ write }) => write.deleteFrom('document').where('public_id', '=', id).execute())
  return { ...team, target, pullInto, files, read, touch, remove, copySolution }
}

const describeChange = ({ type, path, written, from }: Awaited<ReturnType<typeof pull>>['changes'][number]) =>
  `${type} ${path}${from ? ` from ${from}` : ''}${written.length > 0 ? `: ${written.join(' ')}` : ''}`

describe('pull', () => {
  test('[CMD-20] given a team, when it is pulled, then each document has its files; again, then all together cost one request beside that of the folder', async (t) => {
    const { pullInto, files, read, ids, solve, get } = await startMirror(t, ['Plan', 'A/Tower', 'A/B/Stair'])
    for (const id of Object.values(ids)) await solve(id)
    const first = await pullInto()
    assert.deepEqual(first.words, ['new A/B/Stair: json csv', 'new A/Tower: json csv', 'new Plan: json csv'])
    const expected = ['A/B/Stair', 'A/Tower', 'Plan'].flatMap((base) => [`${base}.csv`, `${base}.json`])
    assert.deepEqual(await files(), expected)
    const { document } = (await get(`/documents/${ids['A/Tower']}`)).json
    assert.deepEqual(JSON.parse(await read('A/Tower.json')), document)
    assert.match(await read('Plan.csv'), /^node_id,node,.*\r\n/)
    const state = await read('.meadow/state.json')
    for (const formats of [
      ['json', 'csv'],
      ['json', 'csv', 'parquet', 'solution', 'gh', '3dm'],
    ] as Format[][]) {
      await pullInto(formats)
      const again = await pullInto(formats)
      assert.deepEqual([again.words, again.unchanged], [[], 3])
      assert.deepEqual(again.sent, ['/folders/root 200', '/changes 200'])
      if (formats.length === 2) assert.equal(await read('.meadow/state.json'), state)
    }
  })

  test('[CMD-20] given one document that was changed and one that was solved anew, when they are pulled, then only their files are written', async (t) => {
    const { pullInto, ids, solve, touch } = await startMirror(t, ['Plan', 'Tower', 'Stair'])
    for (const id of Object.values(ids)) await solve(id)
    await pullInto(['json', 'csv', 'solution'])
    await solve(ids.Plan!)
    await touch('Tower')
    const { words, unchanged } = await pullInto(['json', 'csv', 'solution'])
    // The values are the same, and so are their files; the solution has another id.
    assert.deepEqual(words, ['changed Plan: solution', 'changed Tower: json'])
    assert.equal(unchanged, 1)
    assert.equal((await pullInto(['json', 'csv', 'solution'])).unchanged, 3)
  })

  test('[CMD-21] given documents that are moved, exchanged, renamed or deleted, when they are pulled, then their files follow, and those of others stay', async (t) => {
    const { pullInto, files, ids, change, team, keyOf, fixtures, target, read, remove } = await startMirror(
      t,
      [...['A/One', 'A/Two', 'B/Old', 'C/Gone', 'D/E/Deep']],
    )
    await pullInto(['json'])
    await writeFile(join(target, 'C', 'mine.txt'), 'kept')
    const [one, two] = [await read('A/One.json'), await read('A/Two.json')]
    const [a, b] = [await fixtures.folder(team, 'A'), await fixtures.folder(team, 'B')]
    const [keyOne, keyTwo] = [await keyOf(ids['A/One']!), await keyOf(ids['A/Two']!)]
    await change(async (write) => {
      await renameFolder(write, b.key, 'B 2')
      await moveDocument(write, keyTwo, b.key)
    })
    await remove(ids['C/Gone']!)
    await remove(ids['D/E/Deep']!)
    const { words, sent } = await pullInto(['json'])
    assert.deepEqual(words, [
      ...['moved B 2/Old from B/Old', 'moved B 2/Two from A/Two'],
      ...['gone C/Gone', 'gone D/E/Deep'],
    ])
    assert.deepEqual(await files(), ['A/One.json', 'B 2/Old.json', 'B 2/Two.json', 'C/mine.txt'])
    assert.ok(!sent.includes('/documents/doc 200'), 'what was moved is not read')
    await assert.rejects(stat(join(target, 'D')))
    // Each takes the place of the other.
    await change(async (write) => {
      await renameDocument(write, keyTwo, 'One')
      await moveDocument(write, keyTwo, a.key)
      await moveDocument(write, keyOne, b.key)
      await renameDocument(write, keyOne, 'Two')
    })
    assert.deepEqual(
      (await pullInto(['json'])).changes.map(({ path, from }) => [from, path]),
      [
        ['B 2/Two', 'A/One'],
        ['A/One', 'B 2/Two'],
      ],
    )
    assert.equal(JSON.parse(await read('A/One.json')).id, JSON.parse(two).id)
    assert.equal(JSON.parse(await read('B 2/Two.json')).id, JSON.parse(one).id)
    await remove(ids['B/Old']!)
    await pullInto(['json'], { keep: true })
    assert.ok((await files()).includes('B 2/Old.json'))
  })

  test('[CMD-22] given a pull that is killed, when it is run again, then no file is half, and what was done is not read again', async (t) => {
    const names = Array.from(
      { length: 12 },
      (_, index) => `Folder/Document ${String(index).padStart(2, '0')}`,
    )
    const { files, read, target, start, launcher, address, secret } = await startMirror(t, names)
    const holder = await holdRequests(t, address, 7)
    const env = { MEADOW_URL: holder.url, MEADOW_TOKEN: secret }
    const args = ['pull', target, '--format', 'json', '--concurrency', '2', '--json']
    const killed = start(launcher, args, { env })
    await Promise.race([holder.held, killed.finished])
    killed.child.kill('SIGKILL')
    assert.equal((await killed.finished).code, null)
    const before = await files()
    assert.ok(before.length >= 5 && before.length < names.length, before.join())
    for (const path of before) assert.ok(JSON.parse(await read(path)).id, path)
    holder.release()
    const { code, stdout, stderr } = await start(launcher, args, { env }).finished
    assert.equal(code, 0, stderr)
    // A file may have been in its place before it was noted: of the two at a time, the other one was held.
    const { unchanged } = JSON.parse(stdout)
    assert.ok(
      unchanged === before.length || unchanged === before.length - 1,
      `${unchanged} of ${before.length}`,
    )
    assert.equal(holder.requests(), names.length - unchanged)
    assert.equal((await files()).length, names.length)
    assert.deepEqual(await readdir(join(target, '.meadow')), ['.gitignore', 'seen.json', 'state.json'])
  })

  test('[CMD-21] given files of others at the places of a pull, when it runs and when documents are renamed, then they stay, and it says so', async (t) => {
    const { pullInto, read, target, ids, change, keyOf, files } = await startMirror(t, ['Plan', 'Tower'])
    await pullInto(['json'])
    const json = await read('Plan.json')
    for (const folder of ['.meadow', 'Tower.json']) await rm(join(target, folder), { recursive: true })
    await writeFile(join(target, 'Tower.json'), 'mine')
    await writeFile(join(target, 'Stair.json'), 'mine, too')
    const first = await pullInto(['json'])
    // The very file is taken as it is.
    assert.deepEqual([first.changes.map(({ path }) => path), await read('Plan.json')], [['Plan'], json])
    const [error] = first.errors
    assert.match(error!.error, /Tower\.json" is there already, and is no file of this mirror: move it away/)
    const key = await keyOf(ids.Plan!)
    await change((write) => renameDocument(write, key, 'Stair'))
    const second = await pullInto(['json'])
    assert.deepEqual(second.errors.map(({ path }) => path).sort(), ['Stair', 'Tower'])
    assert.deepEqual([await read('Tower.json'), await read('Stair.json')], ['mine', 'mine, too'])
    for (const name of ['Tower.json', 'Stair.json']) await rm(join(target, name))
    assert.deepEqual((await pullInto(['json'])).errors, [])
    assert.equal(JSON.parse(await read('Stair.json')).id, ids.Plan)
    assert.equal((await pullInto(['json'])).unchanged, 2)
    assert.deepEqual(await files(), ['Stair.json', 'Tower.json'])
  })

  test('[CMD-20] given pulls with other formats in between, when the first ones are asked for again, then they are of the document and the solution as they are now', async (t) => {
    const { pullInto, read, ids, solve, touch } = await startMirror(t, ['Plan'])
    const formats: Format[] = ['json', 'csv', 'solution']
    await solve(ids.Plan!)
    await pullInto(formats)
    const [json, solution] = [await read('Plan.json'), await read('Plan.solution.json')]
    await solve(ids.Plan!)
    await touch('Plan')
    await pullInto(['csv'])
    assert.deepEqual([await read('Plan.json'), await read('Plan.solution.json')], [json, solution])
    assert.deepEqual((await pullInto(formats)).words, ['changed Plan: json solution'])
    assert.notEqual(await read('Plan.json'), json)
    assert.notEqual(await read('Plan.solution.json'), solution)
    assert.equal((await pullInto(formats)).unchanged, 1)
  })

  test('[CMD-24] given files that are missing or changed here, when they are pulled, then they are written again', async (t) => {
    const { pullInto, files, read, target, ids, solve } = await startMirror(t, ['Plan', 'Tower'])
    for (const id of Object.values(ids)) await solve(id)
    await pullInto()
    const csv = await read('Plan.csv')
    await rm(join(target, 'Plan.csv'))
    await writeFile(join(target, 'Tower.csv'), csv.slice(1))
    assert.deepEqual((await pullInto()).words, [])
    assert.equal(await read('Plan.csv'), csv)
    assert.equal((await read('Tower.csv')).length, csv.length)
    const changed = (await read('Plan.json')).replace('Plan', 'Plot')
    await writeFile(join(target, 'Plan.json'), changed)
    await pullInto()
    assert.equal(await read('Plan.json'), changed)
    await pullInto(['json', 'csv'], { verify: true })
    assert.equal(JSON.parse(await read('Plan.json')).name, 'Plan')
    assert.equal((await files()).length, 4)
  })

  test('[CMD-25] given a mirror, when another folder is pulled into it, or a second pull runs, then that is refused; a dead one does not count', async (t) => {
    const { pullInto, target, fixtures, team, runWith, files } = await startMirror(t, ['A/One'])
    await pullInto(['json'])
    const { id } = await fixtures.folder(team, 'A')
    await assert.rejects(pullInto(['json'], { folderId: id }), /This folder mirrors fld_/)
    const { secret } = await fixtures.token(await fixtures.team('Another'))
    const ofAnother = await runWith({ env: { MEADOW_TOKEN: secret } }, 'pull', target)
    assert.deepEqual([ofAnother.code, /use the token of that team/.test(ofAnother.stderr)], [1, true])
    assert.deepEqual(await files(), ['A/One.json'])
    const lock = join(target, '.meadow', 'lock')
    await writeFile(lock, JSON.stringify({ pid: process.pid, host: hostname() }))
    await assert.rejects(pullInto(['json']), /Another pull into this folder runs/)
    const dead = spawnSync(process.execPath, ['-e', '']).pid
    await writeFile(lock, JSON.stringify({ pid: dead, host: hostname() }))
    assert.equal((await pullInto(['json'])).unchanged, 1)
  })

  test('[CMD-29] given links in the mirror, when it is pulled, then nothing is written through them, and the rest is pulled', async (t) => {
    const { pullInto, target, files, remove, touch, ids } = await startMirror(t, ['A/One', 'Two', 'Three'])
    const elsewhere = await createFolder(t)
    const other = join(elsewhere, 'One.json')
    await writeFile(other, 'mine')
    await symlink(elsewhere, join(target, 'A'))
    await symlink(other, join(target, 'Two.json'))
    const { errors, words } = await pullInto(['json'])
    const reasons = errors.map(({ error }) => error).sort()
    assert.match(reasons[0]!, /A" is a link, through which a pull does not write/)
    assert.match(reasons[1]!, /Two\.json" is there already, and is no file of this mirror/)
    assert.deepEqual([errors.length, words], [2, ['new Three: json']])
    assert.deepEqual([await readdir(elsewhere), await readFile(other, 'utf8')], [['One.json'], 'mine'])
    assert.deepEqual(await files(), ['Three.json'])
    await rm(join(target, 'A'))
    await rm(join(target, 'Two.json'))
    await pullInto(['json'])
    await rm(join(target, 'A'), { recursive: true })
    await symlink(elsewhere, join(target, 'A'))
    await remove(ids['A/One']!)
    await touch('Two')
    await assert.rejects(pullInto(['json']), /is a link/)
    assert.equal(await readFile(other, 'utf8'), 'mine')
    await rm(join(target, '.meadow'), { recursive: true })
    await symlink(elsewhere, join(target, '.meadow'))
    await assert.rejects(pullInto(['json']), /\.meadow" is a link/)
    assert.deepEqual(await readdir(elsewhere), ['One.json'])
  })

  test('[CMD-29] given a state that names files elsewhere, when it is pulled, then it is refused, and they stay', async (t) => {
    const { pullInto, target, read } = await startMirror(t, ['Plan'])
    const outside = await createFolder(t)
    const file = join(outside, 'settings.json')
    await writeFile(file, 'mine')
    await pullInto(['json'])
    const state = JSON.parse(await read('.meadow/state.json'))
    const [known] = Object.values<object>(state.documents)
    for (const base of [
      relative(target, join(outside, 'settings')),
      '/etc/x',
      '.git/hooks/x',
      'a/../../x',
      5,
    ]) {
      const documents = { ...state.documents, doc_other: { ...known, base } }
      await writeFile(join(target, '.meadow', 'state.json'), JSON.stringify({ ...state, documents }))
      await assert.rejects(pullInto(['json']), /has a document that is not in this folder/, String(base))
    }
    const documents = { doc_other: { ...known, files: { '../json': { size: 1, sha256: '' } } } }
    await writeFile(join(target, '.meadow', 'state.json'), JSON.stringify({ ...state, documents }))
    await assert.rejects(pullInto(['json']), /has a document that is not in this folder/)
    assert.equal(await readFile(file, 'utf8'), 'mine')
  })

  test('[CMD-26] given a git repository, when --commit is used, then what has changed is one commit, and nothing else is', async (t) => {
    const { run, touch, target } = await startMirror(t, ['A/One'])
    const folder = join(target, 'mirror')
    const git = (...args: string[]) => execFileSync('git', args, { cwd: target, encoding: 'utf8' }).trim()
    const refused = await run('pull', folder, '--commit')
    assert.deepEqual([refused.code, refused.stderr.includes('is in no git repository')], [2, true])
    git('init', '--quiet')
    // What follows --commit is its message: the folder would be the current one.
    for (const message of [folder, './new', ''])
      assert.equal((await run('pull', '--commit', message)).code, 2)
    git('config', 'user.email', 'ann@example.org')
    git('config', 'user.name', 'Ann')
    await writeFile(join(target, 'other.txt'), 'not of the mirror')
    const pullIt = async () =>
      JSON.parse((await run('pull', folder, '--format', 'json', '--commit', '--json')).stdout).commit
    const first = await pullIt()
    assert.equal(git('rev-parse', 'HEAD'), first)
    assert.equal(
      git('show', '--name-only', '--format='),
      'mirror/.meadow/.gitignore\nmirror/.meadow/state.json\nmirror/A/One.json',
    )
    assert.equal(git('log', '-1', '--format=%s'), '1 documents: 1 new, 0 unchanged')
    assert.equal(await pullIt(), null)
    await touch('A/One')
    assert.equal(await pullIt(), git('rev-parse', 'HEAD'))
    assert.equal(git('rev-parse', 'HEAD^'), first)
    assert.equal(git('status', '--porcelain'), '?? other.txt')
  })

  test('[CMD-27] given documents that are not solved, when they are pulled, then their states are reported, and files of an older solution stay', async (t) => {
    const { pullInto, files, ids, solve, fail, queue } = await startMirror(t, [
      'Never',
      'Failed',
      'Running',
      'Solved',
    ])
    for (const name of ['Failed', 'Running', 'Solved']) await solve(ids[name]!)
    await pullInto()
    await fail(ids.Failed!, 'No.')
    await queue(ids.Running!)
    const { notSolved, words, unchanged } = await pullInto()
    assert.deepEqual(words, [])
    assert.equal(unchanged, 4)
    assert.deepEqual(notSolved.map(({ path, state }) => `${path}: ${state}`).sort(), [
      // Nothing has happened to the one that is solved again, until that has ended.
      ...['Failed: failed', 'Never: never solved'],
    ])
    const csv = (await files()).filter((path) => path.endsWith('.csv'))
    assert.deepEqual(csv, ['Failed.csv', 'Running.csv', 'Solved.csv'])
  })

  test('[CMD-27] given documents that are not solved, when files of them are wanted, then those that are missing are named, and the exit code is 1', async (t) => {
    const { run, json, target, files, ids, solve, fail } = await startMirror(t, [
      'A/Never',
      'Failed',
      'Solved',
    ])
    await solve(ids.Solved!)
    await fail(ids.Failed!, 'No.')
    const args = ['pull', target, '--format', 'json,csv,gh,.3dm']
    const expected = ['A/Never', 'Failed'].flatMap((base) =>
      ['3dm', 'csv', 'gh'].map((ending) => `${base}.${ending}`),
    )
    for (const _ of ['first', 'second']) {
      const { missing } = JSON.parse((await run(...args, '--json')).stdout) as { missing: { path: string }[] }
      assert.deepEqual(
        missing.map(({ path }) => path),
        expected,
      )
      const { code, stderr, stdout } = await run(...args)
      assert.equal(code, 1)
      assert.match(stdout, /3 documents: .*, 2 without all files\.\n$/)
      assert.equal((await run(...args, '--allow-missing')).code, 0)
      assert.match(stderr, /A\/Never\.gh is missing: the document was never solved\./)
      assert.match(stderr, /Failed\.3dm is missing: the last solve of the document failed\./)
      const here = await files()
      assert.deepEqual(
        expected.filter((path) => here.includes(path)),
        [],
      )
    }
    for (const name of ['A/Never', 'Failed']) await solve(ids[name]!)
    assert.deepEqual((await json(...args)).missing, [])
    const here = await files()
    assert.deepEqual(
      expected.filter((path) => !here.includes(path)),
      [],
    )
    // Of an older solution, but here.
    await fail(ids.Failed!, 'No.')
    assert.equal((await run(...args)).code, 0)
  })
})

test('[CMD-28] given many documents of which none has changed, when they are pulled, then it takes two requests, and writes no file', async (t) => {
  const names = Array.from({ length: 60 }, (_, index) => `Folder ${index % 5}/Document ${index}`)
  const { ids, solve, copySolution, pullInto, files, target } = await startMirror(t, names)
  const [first, ...others] = Object.values(ids)
  await copySolution(await solve(first!), others)
  assert.equal((await pullInto()).changes.length, names.length)
  const times = async () =>
    Promise.all((await files()).map(async (path) => [path, (await stat(join(target, path))).mtimeMs]))
  const before = await times()
  const { unchanged, sent } = await pullInto()
  assert.equal(unchanged, names.length)
  // The first one finds the folder itself.
  assert.deepEqual(sent, ['/folders/root 200', '/changes 200'])
  assert.deepEqual(await times(), before)
})

/** The way to the service, on which the `from`-th request for a document and all after it get no answer until `release`. */
async function holdRequests(t: TestContext, address: string, from: number) {
  let isHolding = true
  let count = 0
  const held = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    if (request.url!.includes('/documents/')) {
      count++
      if (isHolding && count >= from) return held.resolve()
    }
    const sent = forward(`${address}${request.url}`, {
      headers: { ...request.headers, host: new URL(address).host },
    })
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    sent.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: held.promise,
    release() {
      isHolding = false
      count = 0
    },
    requests: () => count,
  }
}
