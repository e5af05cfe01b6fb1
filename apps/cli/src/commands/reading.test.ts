import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { until } from '../../../server/src/testing/until.ts'
import { startTeam } from '../testing/start-team.ts'

const PATHS = ['Plan', 'A/Tower', 'A/Deep/Stair', 'B/Tower', 'B/=1+1', 'B/a\u001b[2Jb']

const hasJq = (() => {
  try {
    execFileSync('jq', ['--version'])
    return true
  } catch {
    return false
  }
})()

describe('reading', () => {
  test('[CMD-1] [CMD-4] given folders, when they are listed, then JSON is what the API answers, and people get a table', async (t) => {
    const { run, json, get } = await startTeam(t, PATHS)
    assert.deepEqual(await json('ls'), (await get('/folders/root')).json.folder)
    const { code, stdout, stderr } = await run('ls', 'A')
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(
      stdout,
      /^name +kind +changed +visibility +id\nDeep +folder +\S+\nTower +document +2026-\S+ +private +doc_\w+\n$/,
    )
    assert.deepEqual(await json('ls', 'A/Deep'), await json('ls', 'Deep'))
    assert.equal((await run('ls', 'Nowhere')).code, 4)
  })

  test('[CMD-1] given a tree, when it is shown, then everything is in it, and CSV has a line for each document', async (t) => {
    const { run, json } = await startTeam(t, PATHS)
    const { stdout } = await run('tree')
    assert.equal(
      stdout,
      `${['Acme', '├── A', '│   ├── Deep', '│   │   └── Stair', '│   └── Tower', '├── B', '│   ├── =1+1', '│   ├── a\\u{1b}[2Jb', '│   └── Tower', '└── Plan'].join('\n')}\n`,
    )
    const csv = (await run('tree', '--csv')).stdout.split('\r\n')
    assert.equal(csv.length, 1 + PATHS.length + 1)
    assert.ok(
      csv.some((line) => line.startsWith("B,'=1+1,")),
      'a formula is no formula',
    )
    assert.deepEqual((await json('tree', 'A')).folders[0].documents[0].name, 'Stair')
  })

  test('[CMD-32] given nodes, fields or lines, then only those are printed, and what is not there is named on stderr', async (t) => {
    const { run, json, get, ids, solve } = await startTeam(t, ['Plan'])
    const id = ids.Plan!
    await solve(id)
    const query = 'nodes=name:Last,x&fields=name,nodes'
    const chosen = ['--nodes', 'name:Last,x', '--fields', 'name,nodes']
    assert.deepEqual(
      await json('get', 'Plan', ...chosen),
      (await get(`/documents/${id}?${query}`)).json.document,
    )
    const { stdout, stderr } = await run('get', 'Plan', '--nodes', 'name:Last,x')
    assert.match(stdout, /nodes {4}1\n/)
    assert.match(stderr, /Not there: x\./)
    assert.deepEqual(
      await json('solution', 'Plan', '--nodes', 'name:Last'),
      (await get(`/documents/${id}/solution?nodes=name:Last`)).json,
    )
    const lines = await run('solution', 'Plan', '--lines', '--fields', 'data')
    const { text } = await get(`/documents/${id}/solution?fields=data`, {
      headers: { accept: 'application/x-ndjson' },
    })
    assert.deepEqual([lines.code, lines.stdout], [0, text])
    assert.equal((await run('solution', 'Plan', '--lines', '--csv')).code, 2)
  })

  test('[CMD-3] given a document, when it is named by id, name, path or address, then it is the same one', async (t) => {
    const { json, ids, address } = await startTeam(t, PATHS)
    const id = ids['A/Deep/Stair']!
    for (const name of [id, 'Stair', 'A/Deep/Stair', `${address}/documents/${id}`])
      assert.equal((await json('get', name)).id, id, name)
  })

  test('[CMD-3] given a name that several have, when it is used, then the error lists them by path and id, and the code is 2', async (t) => {
    const { run, json, ids } = await startTeam(t, PATHS)
    const { code, stdout, stderr } = await run('get', 'Tower')
    assert.deepEqual([code, stdout], [2, ''])
    for (const path of ['A/Tower', 'B/Tower']) assert.ok(stderr.includes(`"${path}" (${ids[path]})`), stderr)
    assert.equal((await json('get', 'B/Tower')).id, ids['B/Tower'])
  })

  test('[CMD-3] given more documents than a search has, when one is named exactly, then it is found, and also that several have the name', async (t) => {
    const others = Array.from({ length: 60 }, (_, index) => `Towers/Tower ${index}`)
    const { run, json, ids } = await startTeam(t, ['A/Tower 1', 'A/Tower', ...others])
    assert.equal((await json('get', 'Tower')).id, ids['A/Tower'])
    const { code, stderr } = await run('get', 'Tower 1')
    assert.equal(code, 2)
    for (const path of ['A/Tower 1', 'Towers/Tower 1'])
      assert.ok(stderr.includes(`"${path}" (${ids[path]})`), stderr)
  })
  test('[CMD-3] given a part of a name, when it is used, then it is not taken for the name, and the error shows what there is', async (t) => {
    const { run } = await startTeam(t, PATHS)
    const { code, stderr } = await run('get', 'Towe', '--json')
    assert.equal(code, 4)
    assert.match(JSON.parse(stderr).error, /Could not find a document .*"Towe".* "Tower"/)
  })

  test('[CMD-1] given a search, when more match than one search has, then that is said, and --all lists all of them', async (t) => {
    const many = Array.from({ length: 52 }, (_, index) => `Many/Tower ${index}`)
    const { run, json } = await startTeam(t, [...PATHS, ...many])
    const some = await json('search', 'tower')
    assert.deepEqual([some.documents.length, some.truncated], [50, true])
    assert.match((await run('search', 'tower')).stderr, /More than 50 documents match: --all/)
    const all = await json('search', 'tower', '--all')
    assert.deepEqual([all.documents.length, all.truncated], [54, false])
    assert.deepEqual(all.documents.slice(0, 50), some.documents)
    assert.equal((await json('search', 'tower', '--in', 'A')).documents.length, 1)
  })

  test('[CMD-33] given a component, then the documents that use it are listed, with what was meant and what is not known', async (t) => {
    const { run, json, get, ids } = await startTeam(t, ['Plan', 'A/Stair'])
    await until('both documents are indexed', async () => {
      const { index } = (await get('/documents?uses=x')).json
      return index.pending === 0
    })
    const { name, templateId } = Object.values<{ name: string; templateId: string }>(
      (await get(`/documents/${ids.Plan}`)).json.document.nodes,
    )[0]!
    const found = await json('search', '--uses', name)
    assert.deepEqual(found, (await get(`/documents?uses=${encodeURIComponent(name)}`)).json)
    assert.deepEqual(found.uses, [{ kind: 'component', id: templateId, name }])
    assert.equal((await json('search', 'plan', '--uses', templateId)).documents.length, 1)
    assert.match((await run('search', '--uses', name)).stderr, new RegExp(`Meant: component ${name}`))
    assert.match((await run('search', '--uses', 'Nobody')).stderr, /Meant: no component/)
    assert.equal((await run('search', '--uses', name, '--all')).code, 2)
  })

  test('[CMD-5] given a jq filter, when it is used, then its results are those of jq, texts without quotes', async (t) => {
    const { run } = await startTeam(t, PATHS)
    const jq = async (filter: string) => (await run('ls', 'B', '--jq', filter)).stdout
    assert.equal(await jq('.documents[] | select(.name | startswith("T")) | .name # why'), 'Tower\n')
    assert.equal(await jq('.documents | length, (map(.visibility) | unique)'), '3\n["private"]\n')
    assert.equal(await jq('empty'), '')
    if (!hasJq) return t.diagnostic('jq is not installed: not compared with it')
    const filters = [
      '.',
      '[.documents[].name] | @csv',
      'to_entries[].key',
      '-r',
      '.documents[0] | keys',
      '$ENV | length > 50',
    ]
    const body = (await run('ls', 'B', '--json')).stdout
    for (const filter of filters.slice(0, 5)) {
      if (filter === '-r') continue
      const expected = execFileSync('jq', ['-r', '-c', filter], { input: body, encoding: 'utf8' })
      assert.equal(await jq(filter), expected, filter)
    }
    assert.equal(await jq(filters[5]!), 'false\n', 'a filter does not see the environment')
  })

  test('[CMD-5] given a filter that jq cannot read, or that fails, when it is used, then one sentence says so', async (t) => {
    const { run } = await startTeam(t, PATHS)
    const [unread, failed] = [await run('ls', '--jq', '.a['), await run('ls', '--jq', '.name | error("no")')]
    assert.deepEqual([unread.code, failed.code], [2, 1])
    assert.match(JSON.parse(unread.stderr).error, /^The jq filter ".a\[" cannot be read: syntax error/)
    assert.equal(JSON.parse(failed.stderr).error, 'The jq filter ".name | error(\\"no\\")" failed: no.')
  })

  test('[CMD-7] given a terminal, when something is printed, then it has colours, fits, and can be turned off; names cannot steer it', async (t) => {
    const { run, runWith } = await startTeam(t, PATHS)
    const start = '\u001b['
    const plain = (await run('ls', 'B')).stdout
    const terminal = (await runWith({ columns: 60 }, 'ls', 'B')).stdout
    const without = (await runWith({ columns: 60, env: { NO_COLOR: '1' } }, 'ls', 'B')).stdout
    assert.ok(!plain.includes(start) && !without.includes(start))
    assert.ok(terminal.startsWith(`${start}1mname`))
    const wide = (await runWith({ columns: 80 }, 'ls', 'B')).stdout
    assert.ok(!wide.includes(`${start}2J`) && wide.includes('a\\u{1b}[2Jb'))
    const names = ['ls', 'B', '--jq', '.documents[].name']
    assert.ok((await run(...names)).stdout.includes(`a${start}2Jb`))
    for (const args of [names, ['ls', 'B', '--csv'], ['ls', 'B', '--json']]) {
      const { stdout } = await runWith({ columns: 60 }, ...args)
      assert.ok(stdout.includes('[2Jb') && !stdout.includes('\u001b'), stdout)
    }
    for (const line of without.trimEnd().split('\n')) assert.ok([...line].length <= 60, line)
    for (const line of without.trimEnd().split('\n').slice(1)) assert.match(line, / (doc|fld)_\w{16}$/)
    const narrow = (await runWith({ columns: 46, env: { NO_COLOR: '1' } }, 'ls', 'B')).stdout
    for (const line of narrow.trimEnd().split('\n')) assert.ok([...line].length <= 48, JSON.stringify(narrow))
    const failed = await runWith({ columns: 60 }, 'ls', 'Nowhere')
    assert.ok(failed.stderr.startsWith(`${start}31mError:`))
    const colourful = JSON.parse((await runWith({ columns: 60 }, 'ls', '--json')).stdout)
    assert.equal(colourful.folders.length, 2)
  })

  test('[CMD-13] given a path, when it is sent as it is, then the answer is printed as it is, with the code of its status', async (t) => {
    const { run, ids, get } = await startTeam(t, PATHS)
    const team = await run('api', '/team')
    assert.equal(team.stdout, `${(await get('/team')).text}\n`)
    const found = await run(
      'api',
      'api/v1/documents?q=stair',
      '-q',
      'folderId=root',
      '--jq',
      '.documents[0].id',
    )
    assert.equal(found.stdout, `${ids['A/Deep/Stair']}\n`)
    const headers = await run('api', '/documents/nope', '-i')
    assert.equal(headers.code, 4)
    assert.match(
      headers.stdout,
      /^HTTP 404\n[\s\S]*content-type: application\/json[\s\S]*\n\n\{"error":"Could not find that document\."\}\n$/,
    )
    const [, tag] = /etag: (.+)/.exec((await run('api', '/team', '-i')).stdout)!
    assert.match((await run('api', '/team', '-i', '-H', `If-None-Match: ${tag}`)).stdout, /^HTTP 304\n/)
    assert.equal((await run('api', '/../../healthz')).code, 1)
    const repeated = await run('api', `/documents/${ids['A/Deep/Stair']}/solution?format=json&format=bimz`)
    assert.equal(repeated.code, 2, repeated.stdout)
    assert.equal((await run('api', '/team', '-H', 'authorization: Bearer mdw_x')).code, 2)
  })
})
