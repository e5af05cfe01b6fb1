import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ALL_SCOPES, type BimDocument, type PortLine, type Solution } from '@meadow/contract'
import fc from 'fast-check'
import { writeParts } from './bodies/write-parts.ts'
import { prefersLines } from './solutions.routes.ts'
import { numbers, tubes } from './testing/graphs.ts'
import { startSolutions } from './testing/start-solutions.ts'

const LINES = { accept: 'application/x-ndjson' }

const idOf = (graph: ReturnType<typeof tubes>, nickName: string) =>
  Object.values(graph.nodes).find((node) => node.nickName === nickName)!.instanceId

/** The lines of a response, the last one apart. */
function parseLines(text: string): { ports: PortLine[]; end: Solution } {
  assert.ok(text.endsWith('\n'))
  const lines = text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
  return { ports: lines.slice(0, -1), end: lines.at(-1) }
}

/** The solution that the lines are of. */
function joinLines({ ports, end }: ReturnType<typeof parseLines>): Solution {
  const data: Record<string, unknown> = { ...end.data }
  for (const { nodeInstanceId, portInstanceId, ...tree } of ports)
    data[nodeInstanceId] = { ...(data[nodeInstanceId] as object), [portInstanceId]: tree }
  return { ...end, data: data as Solution['data'] }
}

describe('nodes and fields', () => {
  test('[PART-5] given nodes by id and by name, then their values and messages alone, and what the solution has nothing of is named', async (t) => {
    const { document, solve, get } = await startSolutions(t)
    const graph = tubes()
    const id = await document(graph)
    const solutionId = await solve(id)
    const whole: Solution = (await get(`/documents/${id}/solution`)).json
    const posts = idOf(graph, 'Posts')
    const tubesId = idOf(graph, 'Tubes')
    const read = async (query: string): Promise<Solution> =>
      (await get(`/documents/${id}/solution?${query}`)).json
    const { notFound, ...part } = await read(`nodes=${posts},name:Tubes,name:Nobody,nothing`)
    assert.deepEqual(part, {
      ...whole,
      data: { solutionId, [posts]: whole.data[posts], [tubesId]: whole.data[tubesId] },
      messages: whole.messages.filter(({ nodeInstanceId }) => [posts, tubesId].includes(nodeInstanceId)),
    })
    assert.deepEqual(notFound, { nodes: ['name:Nobody', 'nothing'] })
    assert.deepEqual(await read('fields=completeness,nothing'), {
      data: { solutionId },
      completeness: whole.completeness,
      notFound: { fields: ['nothing'] },
    })
    assert.deepEqual(await read('fields=&nodes='), { data: { solutionId } })
    assert.deepEqual((await read(`fields=solvedAt&nodes=${posts},x`)).notFound, { nodes: ['x'] })
  })

  test('[PART-5, D26] given geometry or bimz, then the same of that form', async (t) => {
    const { document, solve, get } = await startSolutions(t)
    const graph = tubes()
    const id = await document(graph)
    await solve(id)
    const tube = idOf(graph, 'Tubes')
    const whole: Solution = (await get(`/documents/${id}/solution?includeGeometry=true`)).json
    const part: Solution = (await get(`/documents/${id}/solution?includeGeometry=true&nodes=name:Tubes`)).json
    assert.equal(part.includesGeometry, true)
    assert.deepEqual(part.data[tube], whole.data[tube])
    assert.deepEqual(Object.keys(part.data), ['solutionId', tube])
    const bim: BimDocument = (await get(`/documents/${id}/solution?format=bimz`)).json
    const bimPart: BimDocument = (await get(`/documents/${id}/solution?format=bimz&nodes=${tube},x`)).json
    const objects = Object.entries(bim.objects).filter(([, { nodeInstanceId }]) => nodeInstanceId === tube)
    assert.ok(objects.length > 0)
    assert.deepEqual(bimPart, { ...bim, objects: Object.fromEntries(objects), notFound: { nodes: ['x'] } })
    const { format, version, documentId, solutionId, units } = bim
    assert.deepEqual((await get(`/documents/${id}/solution?format=bimz&fields=units`)).json, {
      ...{ format, version, documentId, solutionId, units },
    })
  })

  test('[PART-6] given a token that may not read documents, then no node is found by its name', async (t) => {
    const { document, solve, get, fixtures, team } = await startSolutions(t)
    const id = await document(tubes())
    await solve(id)
    const scopes = ALL_SCOPES.filter((scope) => scope !== 'documents:read')
    const { secret: token } = await fixtures.token(team, { scopes })
    const { json } = await get(`/documents/${id}/solution?nodes=name:Tubes`, { token })
    assert.deepEqual([Object.keys(json.data), json.notFound], [['solutionId'], { nodes: ['name:Tubes'] }])
  })

  test('[PART-7, D10] given forms of a solution, then each has its own tag, which gives 304 for it alone, with HEAD too', async (t) => {
    const { document, solve, get } = await startSolutions(t)
    const graph = tubes()
    const id = await document(graph)
    await solve(id)
    const forms = ['?', '?includeGeometry=true&', '?format=bimz&'].flatMap((form) =>
      ['', `nodes=name:Tubes`, `nodes=${idOf(graph, 'Tubes')}`, 'fields=messages'].map((part) => form + part),
    )
    const requests = forms.flatMap((form) => [
      { form, headers: {} },
      ...(form.includes('bimz') ? [] : [{ form, headers: LINES }]),
    ])
    const path = (form: string) => `/documents/${id}/solution${form}`
    const tags: string[] = []
    for (const { form, headers } of requests) {
      const response = await get(path(form), { headers })
      assert.equal(response.status, 200)
      const tag = response.headers.get('etag')!
      for (const method of ['GET', 'HEAD']) {
        const condition = { ...headers, 'if-none-match': tag }
        assert.equal((await get(path(form), { method, headers: condition })).status, 304, form)
        const others = { ...headers, 'if-none-match': tags.join() }
        if (tags.length > 0)
          assert.equal((await get(path(form), { method, headers: others })).status, 200, form)
      }
      const head = await get(path(form), { method: 'HEAD', headers })
      assert.equal(head.headers.get('content-type'), response.headers.get('content-type'))
      assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', tag])
      tags.push(tag)
    }
    assert.equal(new Set(tags).size, requests.length)
  })
})

describe('lines', () => {
  test('[LINE-1, LINE-2] given a solution in lines, in any encoding, then the lines are the solution', async (t) => {
    const { document, solve, get } = await startSolutions(t)
    const id = await document(tubes())
    await solve(id)
    for (const form of [
      '',
      '?includeGeometry=true',
      '?nodes=name:Tubes,x',
      '?fields=data',
      '?fields=messages',
    ])
      for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
        const headers = { ...LINES, 'accept-encoding': encoding }
        const { status, text, headers: sent } = await get(`/documents/${id}/solution${form}`, { headers })
        assert.deepEqual([status, sent.get('content-type')], [200, 'application/x-ndjson'])
        assert.equal(sent.get('vary'), 'Authorization, Accept-Encoding, Accept')
        const whole = (await get(`/documents/${id}/solution${form}`)).json
        assert.deepEqual(joinLines(parseLines(text)), whole)
      }
  })

  test('[LINE-3] given an Accept that does not prefer lines, then the response is JSON, byte for byte, and errors always are', async (t) => {
    const { document, solve, get } = await startSolutions(t)
    const id = await document(numbers())
    const unsolved = await get(`/documents/${id}/solution`, { headers: LINES })
    assert.deepEqual([unsolved.status, Object.keys(unsolved.json)], [409, ['error']])
    await solve(id)
    const path = `/documents/${id}/solution`
    const plain = await get(path)
    const jsonAccepts = [
      '*/*',
      'application/json',
      'application/json, application/x-ndjson;q=0.5',
      'text/html',
    ]
    for (const accept of jsonAccepts) {
      const { text, headers } = await get(path, { headers: { accept } })
      assert.equal(text, plain.text)
      for (const name of ['etag', 'vary', 'content-type'])
        assert.equal(headers.get(name), plain.headers.get(name))
    }
    const bim = await get(`${path}?format=bimz`, { headers: LINES })
    assert.equal(bim.json.format, 'bimz')
    assert.equal((await get(`${path}?format=no`, { headers: LINES })).status, 400)
  })

  test('[LINE-3] given media ranges, then the weights decide, and JSON wins ties', () => {
    const prefer = [
      'application/x-ndjson',
      'APPLICATION/X-NDJSON; q=0.3',
      'application/json;q=0.5, application/x-ndjson',
      'application/x-ndjson, */*;q=0.9',
      'application/x-ndjson;q=0.2, text/html',
      'application/*;q=0.1, application/x-ndjson;v=1;q=0.2',
    ]
    const others = [
      undefined,
      '',
      '*/*',
      'application/*',
      'application/x-ndjson, application/json',
      'application/x-ndjson, */*',
      'application/x-ndjson;q=0',
      'application/x-ndjson;q=x',
      'application/json, application/x-ndjson;q=0.5',
      'application/x-ndjson-other',
      ',;=/application/x-ndjson',
    ]
    for (const accept of prefer) assert.equal(prefersLines(accept), true, accept)
    for (const accept of others) assert.equal(prefersLines(accept), false, accept)
  })

  test('[LINE-2] given a port whose values never end, then its line is written as they come', async () => {
    async function* endless() {
      yield Buffer.from('{"data":{"solutionId":"s","n":{"p":{"branches":[{"path":"{0}","values":[0')
      const values = Buffer.from(',{"type":"number","value":0.5}'.repeat(2000))
      for (;;) yield values
    }
    let bytes = 0
    for await (const chunk of writeParts(endless(), {
      nodes: undefined,
      fields: undefined,
      isInLines: true,
    })) {
      if (bytes === 0)
        assert.match(
          Buffer.from(chunk).toString(),
          /^\{"nodeInstanceId":"n","portInstanceId":"p","branches":\[/,
        )
      bytes += chunk.length
      if (bytes > 10_000_000) break
    }
  })

  test('[LINE-1, PART-5] given any solution in chunks of any size, then its parts and lines are those of the parsed one', async () => {
    const id: fc.Arbitrary<string> = fc.constantFrom('a', '__proto__', '"', 'ü', 'name:x', '}')
    const ports = fc.dictionary(id, fc.record({ branches: fc.array(fc.jsonValue()) }))
    const messages = fc.array(fc.record({ nodeInstanceId: id, message: fc.string() }))
    const solution = fc.record({ nodes: fc.dictionary(id, ports), messages, durationMs: fc.nat() })
    const items = fc.option(fc.uniqueArray(id.filter((one) => !one.startsWith('name:'))), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(solution, items, fc.integer({ min: 1, max: 50 }), async (made, items, size) => {
        const { nodes, ...members } = made
        const body = Buffer.from(JSON.stringify({ data: { solutionId: 's', ...nodes }, ...members }))
        const write = async (isInLines: boolean) => {
          const parts = { nodes: items && { items, named: new Map() }, fields: undefined, isInLines }
          const chunks = writeParts(cut(body, size), parts)
          return Buffer.concat(await Array.fromAsync(chunks)).toString()
        }
        const isKept = (node: string) => !items || items.includes(node)
        const kept = Object.entries(nodes).filter(([node]) => isKept(node))
        const keptMessages = made.messages.filter(({ nodeInstanceId }) => isKept(nodeInstanceId))
        const found = new Set([
          ...kept.map(([node]) => node),
          ...keptMessages.map((one) => one.nodeInstanceId),
        ])
        const missing = (items ?? []).filter((item) => !found.has(item))
        const rest = {
          ...members,
          messages: keptMessages,
          ...(missing.length > 0 && { notFound: { nodes: missing } }),
        }
        const data = Object.fromEntries([['solutionId', 's'], ...kept])
        assert.equal(await write(false), JSON.stringify({ data, ...rest }))
        const lines = kept.flatMap(([nodeInstanceId, ports]) =>
          Object.entries(ports).map(([portInstanceId, tree]) => ({
            nodeInstanceId,
            portInstanceId,
            ...tree,
          })),
        )
        const expected = [...lines, { data: { solutionId: 's' }, ...rest }].map(
          (line) => `${JSON.stringify(line)}\n`,
        )
        assert.equal(await write(true), expected.join(''))
      }),
      { numRuns: 40 },
    )
  })
})

async function* cut(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
