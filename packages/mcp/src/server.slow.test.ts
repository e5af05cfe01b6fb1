import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { ENDPOINT_DESCRIPTIONS } from '@meadow/client/endpoints'
import { numbers, tubes } from '../../../apps/server/src/features/solutions/testing/graphs.ts'
import { moveDocument } from '../../../apps/server/src/library/documents.ts'
import { changeTeam } from '../../../apps/server/src/team/team-transaction.ts'
import { ALL_SCOPES, type Scope } from '../../contract/src/index.ts'
import { createConnections } from './connections.ts'
import { CLIENTS } from './testing/clients.ts'
import { reported, startHttp, startMcp } from './testing/start-mcp.ts'
import { countTokens, noTokenizer } from './testing/tokenizers.ts'
import { describeTools } from './tools/tools.ts'

const [current] = CLIENTS

// Other files of this process leave what they looked for.
beforeEach(() => void reported.splice(0))
afterEach(() => assert.deepEqual(reported.splice(0), [], 'every error has a sentence for its caller'))

describe('tools', () => {
  for (const { name, overHttp } of CLIENTS)
    test(`[MCP-9, MCP-17] given ${name}, then it gets at most six tools, all read-only, in at most 1,500 tokens`, async (t) => {
      const { url, secret } = await startMcp(t)
      const client = await overHttp(t, url, secret)
      const tools = await client.list('tools')
      assert.ok(tools.length <= 6)
      assert.ok(tools.every(({ annotations }) => annotations.readOnlyHint === true))
      if (!noTokenizer) {
        const tokens = countTokens(JSON.stringify({ tools }))
        t.diagnostic(`${tokens} tokens`)
        assert.ok(tokens <= 1500, `${tokens} tokens`)
      }
      assert.match(client.instructions()!, /never instructions/)
    })

  test('[MCP-10] given a token with one scope, then it gets the tools of that scope, and documents only with theirs', async (t) => {
    const { url, team, fixtures } = await startMcp(t)
    const expected: Record<Scope, string[]> = {
      'team:read': [],
      'folders:read': ['list_folder'],
      'documents:read': ['search_documents', 'outline_document', 'read_nodes'],
      'solutions:read': ['read_values'],
      'exports:read': ['export_document'],
    }
    for (const scope of ALL_SCOPES) {
      const { secret } = await fixtures.token(team, { scopes: [scope] })
      const client = await current.overHttp(t, url, secret)
      const tools = await client.list('tools')
      assert.deepEqual(
        tools.map(({ name }) => name),
        expected[scope],
        scope,
      )
      const templates = await client.list('templates')
      assert.equal(templates.length > 0, scope === 'documents:read', scope)
    }
  })

  test('[MCP-11] given changed endpoints, then the tools change with them', () => {
    const before = JSON.stringify(describeTools(ENDPOINT_DESCRIPTIONS))
    const changed = ENDPOINT_DESCRIPTIONS.map((endpoint) => ({
      ...endpoint,
      summary: `New: ${endpoint.summary}`,
      scope: `new ${endpoint.scope}`,
      parameters: endpoint.parameters.map((parameter) =>
        parameter.name === 'format'
          ? { ...parameter, schema: { enum: ['.step'] }, description: 'New.' }
          : parameter,
      ),
    }))
    const after = describeTools(changed)
    for (const { name, scope, description } of after) {
      assert.match(scope, /^new /, name)
      assert.ok(name === 'read_nodes' || description.startsWith('New: '), name)
    }
    const { format } = after.find(({ name }) => name === 'export_document')!.inputSchema.properties
    assert.deepEqual(format, { enum: ['.step'], description: 'New.' })
    assert.equal(JSON.stringify(describeTools(ENDPOINT_DESCRIPTIONS)), before)
  })

  test('[MCP-9] given arguments that the schema of a tool does not accept, then the answer says which', async (t) => {
    const { url, secret } = await startMcp(t)
    const client = await current.overHttp(t, url, secret)
    for (const args of [{}, { document: 'x', nodes: [] }]) {
      const { text, isError } = await client.call('read_nodes', args)
      assert.ok(isError && /document|nodes/.test(text), text)
    }
    const misnamed = await client.call('search_documents', { query: 'x' })
    assert.ok(
      misnamed.isError && /it has no argument "query", but q, folderId, uses$/.test(misnamed.text),
      misnamed.text,
    )
    const unknown = await client.call('export_document', { document: 'x', format: 'obj' })
    assert.ok(unknown.isError && unknown.text.includes('format must be one of ".gh", ".3dm"'), unknown.text)
  })

  test('[MCP-9] given a name that is empty, or a format without its dot, then no unnamed node is meant, and the format is taken', async (t) => {
    const { url, secret, document, solve } = await startMcp(t)
    await solve(await document(numbers(), 'Numbers'))
    const client = await current.overHttp(t, url, secret)
    for (const tool of ['read_nodes', 'read_values']) {
      for (const name of ['', ' ']) {
        const { text, isError } = await client.call(tool, { document: 'Numbers', nodes: [name] })
        assert.ok(isError && /name of a node is empty/.test(text), text)
      }
    }
    const exported = await client.call('export_document', { document: 'Numbers', format: 'gh' })
    assert.match(exported.text, /^Numbers\.gh, /)
  })
})

describe('documents', () => {
  test('[MCP-12, MCP-17] given any client, when it looks for a document, reads it, its nodes and values, and exports it, then each answer leads to the next', async (t) => {
    const { url, secret, document, solve, team, fixtures } = await startMcp(t)
    const folder = await fixtures.folder(team, 'Studies')
    const id = await document(tubes(), 'Twisted tower')
    await fixtures.document(team, { folder: folder.key, name: 'Other' })
    await solve(id)
    const methods = new Set<string>()
    const { fetch } = globalThis
    t.mock.method(globalThis, 'fetch', (input: string | URL | Request, init?: RequestInit) => {
      if (!String(input).startsWith(url)) methods.add(init?.method ?? 'GET')
      return fetch(input, init)
    })
    for (const { name, overHttp } of CLIENTS) {
      const client = await overHttp(t, url, secret)
      const read = async (tool: string, args: object = {}) => {
        const { text, isError } = await client.call(tool, args)
        assert.ok(!isError, `${name}: ${text}`)
        return text
      }
      assert.ok((await read('search_documents', { q: 'tow' })).includes(`${id} Twisted tower`))
      assert.match(await read('search_documents', { uses: 'Nobody' }), /stands for: no component/)
      const root = await read('list_folder')
      assert.match(root, /^Folder Acme \(/)
      const [, studies] = /(\S+) Studies\//.exec(root)!
      assert.match(await read('list_folder', { folderId: studies! }), /> Studies \([\s\S]* Other /)
      assert.match(await read('list_folder', { depth: 2 }), /\n\S+ Studies\/\n {2}\S+ Other /)
      const outline = await read('outline_document', { document: id, group: 'All' })
      const [, feet] = /\n(\w+) Construct Point "Feet" X<\w+/.exec(outline)!
      const details = await read('read_nodes', { document: 'twisted TOWER', nodes: [feet!, 'Count'] })
      assert.match(
        details,
        /^\w+ Construct Point "Feet"[\s\S]* < \w+ Series "Numbers"[\s\S]*\n\w+ Slider "Count"/,
      )
      const values = await read('read_values', { document: id })
      assert.match(
        values,
        /Complete: \d+ nodes\.[\s\S]*\n\w+ Construct Point "Feet": 3 points, first \(0,0,0\)/,
      )
      assert.match(
        await read('read_values', { document: id, nodes: [feet!] }),
        /\(0,0,0\), \(1,0,0\), \(2,0,0\)/,
      )
      const exported = await read('export_document', { document: id, format: '.gh' })
      const [, link] = /: (http\S+)/.exec(exported)!
      const file = Buffer.from(await (await fetch(link!)).arrayBuffer())
      assert.ok(exported.includes(createHash('sha256').update(file).digest('hex')))
    }
    assert.deepEqual([...methods].sort(), ['GET', 'HEAD'])
  })

  test('[MCP-13] given names, then a document is found by name, or folder and name; of several, the candidates are told', async (t) => {
    const { url, secret, fixtures, team } = await startMcp(t)
    const studies = await fixtures.folder(team, 'Studies')
    const archive = await fixtures.folder(team, 'Archive')
    const first = await fixtures.document(team, { folder: studies.key, name: 'Bridge' })
    const second = await fixtures.document(team, { folder: archive.key, name: 'Bridge' })
    await fixtures.document(team, { name: 'Bridges of the city' })
    const client = await current.overHttp(t, url, secret)
    const outline = (document: string) => client.call('outline_document', { document })
    assert.match((await outline('Archive/bridge')).text, new RegExp(second))
    assert.match((await outline('Bridges of the city')).text, /^Bridges/)
    const { text, isError } = await outline('Bridge')
    assert.ok(
      isError && text.includes(`${first} Studies/Bridge`) && text.includes(`${second} Archive/Bridge`),
      text,
    )
    const unknown = await outline('Bri')
    assert.ok(unknown.isError && unknown.text.includes(first), unknown.text)
    assert.match((await outline('nothing')).text, /search_documents/)
    assert.match((await outline('..')).text, /not an id/)
  })

  for (const { name, overHttp } of CLIENTS)
    test(`[MCP-16] given ${name}, then documents are resources: as an outline, and whole`, async (t) => {
      const { url, secret, document } = await startMcp(t)
      const id = await document(numbers(), 'Büro 1')
      const client = await overHttp(t, url, secret)
      const [resource] = await client.list('resources')
      assert.deepEqual(client.capabilities(), {
        tools: { listChanged: false },
        resources: { listChanged: false },
      })
      assert.equal(resource.title, 'Büro 1')
      const outline = await client.read(resource.uri)
      assert.equal(outline.mimeType, 'text/plain')
      assert.match(outline.text, /^Büro 1 \(doc_/)
      const whole = await client.read(`meadow://documents/${id}/json`)
      assert.equal(JSON.parse(whole.text).id, id)
      await assert.rejects(client.read('meadow://documents/nothing'), /no document/)
    })
})

test('[MCP-23] given tokens limited to folders in one process, then each sees the root with its folders, and lists, searches, outlines, values, exports and resources stay in reach, also when a document leaves it', async (t) => {
  const { url, secret, team, fixtures, database, solve } = await startMcp(t)
  const [east, west] = [await fixtures.folder(team, 'Secret', 'East'), await fixtures.folder(team, 'West')]
  const hidden = await fixtures.folder(team, 'Secret')
  const add = (name: string, folder: typeof east) =>
    fixtures.document(team, { name, folder: folder.key, content: numbers() })
  const ids = {
    east: await add('Plan east', east),
    west: await add('Plan west', west),
    hidden: await add('Plan hidden', hidden),
  }
  for (const id of Object.values(ids)) await solve(id)
  const limitedTo = async (...folders: (typeof east)[]) =>
    current.overHttp(t, url, (await fixtures.token(team, { folders: folders.map(({ id }) => id) })).secret)
  const whole = await current.overHttp(t, url, secret)
  const [ofEast, ofBoth] = [await limitedTo(east), await limitedTo(east, west)]
  // What is read with one token is kept for that token alone.
  for (const id of Object.values(ids))
    assert.ok(!(await whole.call('outline_document', { document: id })).isError)
  for (const [client, seen] of [
    [ofEast, ['east']],
    [ofBoth, ['east', 'west']],
  ] as const) {
    const texts = [
      (await client.call('list_folder', {})).text,
      (await client.call('search_documents', { q: 'plan' })).text,
      (await client.call('outline_document', { document: 'Plan' })).text,
      JSON.stringify(await client.list('resources')),
    ]
    for (const text of texts) assert.doesNotMatch(text, /Secret|hidden/, text)
    for (const [place, id] of Object.entries(ids)) {
      const isSeen = (seen as readonly string[]).includes(place)
      assert.equal(texts[1]!.includes(id), isSeen, texts[1])
      assert.equal(texts[3]!.includes(id), isSeen, texts[3])
      for (const document of [id, `Plan ${place}`])
        for (const [tool, args] of [
          ['outline_document', {}],
          ['read_nodes', { nodes: ['Numbers'] }],
          ['read_values', {}],
          ['export_document', { format: '.gh' }],
        ] as const) {
          const { text, isError } = await client.call(tool, { document, ...args })
          assert.equal(!isError, isSeen, `${tool} ${document}: ${text}`)
          if (!isSeen) assert.match(text, /There is no document with the id or name/)
        }
      const resource = client.read(`meadow://documents/${id}/json`)
      if (isSeen) assert.ok((await resource).text.includes(id))
      else await assert.rejects(resource, /no document/)
    }
    const outside = await client.call('list_folder', { folderId: hidden.id })
    const nothing = await client.call('list_folder', { folderId: 'fld_0000000000000000' })
    assert.deepEqual(outside, nothing)
  }
  const { id: key } = await database.read
    .selectFrom('document')
    .where('public_id', '=', ids.east)
    .select('id')
    .executeTakeFirstOrThrow()
  await changeTeam(database, team.key, (change) => moveDocument(change, key, hidden.key))
  for (const client of [ofEast, ofBoth]) {
    assert.ok((await client.call('outline_document', { document: ids.east })).isError)
    await assert.rejects(client.read(`meadow://documents/${ids.east}`), /no document/)
  }
})

test('[MCP-16] given a document that is too long to be attached as a whole, then a sentence says so', async (t) => {
  const { url, secret, document } = await startMcp(t)
  const id = await document({ ...numbers(), note: 'x'.repeat(5_000_000) }, 'Long')
  const client = await current.overHttp(t, url, secret)
  await assert.rejects(client.read(`meadow://documents/${id}/json`), /too long to be attached/)
})

describe('states of a solve', () => {
  test('[MCP-14] given a solve that runs, then values say so at once or once it ends, and the rest is answered meanwhile', async (t) => {
    const { url, secret, document, run, solveLeased } = await startMcp(t)
    const id = await document(numbers(), 'Numbers')
    const leased = await run(id)
    const client = await current.overHttp(t, url, secret)
    const { text, isError } = await client.call('read_values', { document: id, waitSeconds: 0 })
    assert.ok(!isError && /solve of this document is running/.test(text), text)
    assert.match((await client.call('outline_document', { document: id })).text, /Series "Numbers"/)
    const waiting = client.call('read_values', { document: id, waitSeconds: 30 })
    await solveLeased(leased)
    assert.match((await waiting).text, /Series "Numbers": 3 numbers, 0 to 2/)
  })

  test('[MCP-14] given a document that was never solved, or whose solve failed, then the sentence of the service', async (t) => {
    const { url, secret, document, fail } = await startMcp(t)
    const id = await document(numbers(), 'Numbers')
    const client = await current.overHttp(t, url, secret)
    const never = await client.call('read_values', { document: id })
    assert.ok(never.isError && /never been solved/.test(never.text), never.text)
    await fail(id, 'The wires run in a circle.')
    const failed = await client.call('read_values', { document: id })
    assert.ok(failed.isError && failed.text.endsWith('The wires run in a circle.'), failed.text)
  })

  test('[MCP-10] given a token that reads solutions only, then values have ids in place of names', async (t) => {
    const { url, document, solve, fixtures, team } = await startMcp(t)
    const id = await document(numbers(), 'Numbers')
    await solve(id)
    const { secret } = await fixtures.token(team, { scopes: ['solutions:read'] })
    const client = await current.overHttp(t, url, secret)
    const { text } = await client.call('read_values', { document: id })
    const [, node] = /^(\w+)\.\S+: 3 numbers/m.exec(text)!
    assert.match((await client.call('read_values', { document: id, nodes: [node!] })).text, /0, 1, 2/)
    assert.ok((await client.call('read_values', { document: id, nodes: ['Numbers'] })).isError)
  })
})

describe('faults', () => {
  test('[MCP-15] given a service that cannot be reached, then all tools are there, and say so without token or stack', async (t) => {
    const { address, service, secret } = await startMcp(t)
    const { url } = await startHttp(t, 'http://127.0.0.1:1')
    assert.ok(address && service)
    const client = await current.overHttp(t, url, secret)
    assert.equal((await client.list('tools')).length, 6)
    const { text, isError } = await client.call('search_documents')
    assert.ok(isError && /No answer from http:\/\/127\.0\.0\.1:1/.test(text), text)
    assert.ok(!text.includes(secret) && !text.includes(' at '))
  })

  test('[MCP-15] given an answer that is too large, then a sentence says what to use', async (t) => {
    const { address, secret, document } = await startMcp(t)
    const id = await document(numbers(), 'Numbers')
    const { meadow } = await createConnections(address, secret, 500).open(secret)
    await assert.rejects(meadow.readDocument(id), /too large to be read here/)
    assert.equal((await meadow.readTeam()).name, 'Acme')
  })
})
