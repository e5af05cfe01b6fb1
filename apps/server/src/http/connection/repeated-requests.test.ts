import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { revokeToken } from '../../access/team-tokens.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { DATABASES } from '../../testing/databases.ts'
import { requestRaw } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'
import { until } from '../../testing/until.ts'
import { countParsed, keepConnection } from '../testing/kept-connection.ts'
import { trackConnections } from './connections.ts'
import { bytesOfRequest, type RepeatedRequests, watchRequests } from './repeated-requests.ts'

/** What the server below says to a request, whichever way it takes. */
const textFor = (method: string, url: string, body: string) => `${method} ${url} ${body}`

const toResponse = (text: string) =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`

type Respond = RepeatedRequests['respond']

/** A server that keeps its response to every GET without a body, and looks kept ones up with `look`. */
async function startKeeping(t: TestContext, look: (respond: () => boolean) => ReturnType<Respond>) {
  const server = createServer({ requireHostHeader: false })
  const connections = trackConnections(server, { connections: 1000, pipelined: 1000 })
  const kept = new Map<string, string>()
  let repeated = 0
  server.on('request', (request, response) => {
    connections.handleInOrder(response, async () => {
      const body = Buffer.concat(await request.toArray()).toString()
      const text = textFor(request.method!, request.url!, body)
      const bytes = bytesOfRequest(request)
      if (request.method === 'GET' && request.headers['content-length'] === undefined && bytes !== undefined)
        kept.set(bytes, text)
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) })
      response.end(text)
    })
  })
  watchRequests(server, connections, {
    respond(bytes, socket) {
      const text = kept.get(bytes)
      return look(() => {
        if (text === undefined || !socket.writable) return false
        socket.write(toResponse(text))
        repeated++
        return true
      })
    },
  })
  const address = await listen(t, server)
  return { address, server, connections, countRepeated: () => repeated }
}

async function listen(t: TestContext, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const WAYS: [string, (respond: () => boolean) => ReturnType<Respond>][] = [
  ['at once', (respond) => respond()],
  ['after a while', async (respond) => new Promise((resolve) => setImmediate(() => resolve(respond())))],
]

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

for (const [way, look] of WAYS) {
  describe(`kept responses that are found ${way}`, () => {
    test('[HTTP-26] given any requests in any pieces, some within the bodies of others, then each gets its own response, in order', async (t) => {
      const { address, countRepeated } = await startKeeping(t, look)
      const path = fc.constantFrom('/a', '/b')
      const plain = path.map((path) => ({ bytes: get(path), text: textFor('GET', path, '') }))
      // A body that has the very bytes of a request that is kept.
      const withBody = fc.tuple(path, path, fc.constantFrom('GET', 'POST')).map(([path, inner, method]) => ({
        bytes: `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${get(inner).length}\r\n\r\n${get(inner)}`,
        text: textFor(method, path, get(inner)),
      }))
      const inChunks = path.map((inner) => ({
        bytes: `POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${get(inner).length.toString(16)}\r\n${get(inner)}\r\n0\r\n\r\n`,
        text: textFor('POST', '/c', get(inner)),
      }))
      // The parser skips empty lines before a request (RFC 9112, 2.2).
      const afterLines = fc
        .tuple(plain, fc.constantFrom('\r\n', '\r\n\r\n', '\r\n\r\n\r\n'))
        .map(([{ bytes, text }, lines]) => ({ bytes: lines + bytes, text }))
      const request = fc.oneof({ weight: 8, arbitrary: plain }, afterLines, withBody, inChunks)
      // How the requests are cut: mostly one in a piece.
      const cut = fc.oneof({ weight: 6, arbitrary: fc.constant('whole') }, fc.constant('joined'), fc.nat(120))
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(request, cut), { minLength: 1, maxLength: 12 }), async (parts) => {
          const responses = await exchange(address, cutPieces(parts), parts.length)
          assert.deepEqual(
            responses,
            parts.map(([{ text }]) => text),
          )
        }),
        { numRuns: 150 },
      )
      assert.ok(countRepeated() > 0)
    })

    test('[HTTP-26] given a connection that has sent nothing yet, then its first request is parsed, and the next one is not', async (t) => {
      const { address, countRepeated } = await startKeeping(t, look)
      await exchange(address, [get('/a')], 1)
      assert.equal(countRepeated(), 0)
      await exchange(address, [get('/a')], 1)
      assert.equal(countRepeated(), 0)
      await exchange(address, [get('/a'), get('/a')], 2)
      assert.equal(countRepeated(), 1)
    })

    test('[HTTP-26] given repeated requests before one for another protocol, then its socket gets the data of the other protocol', async (t) => {
      const { address, server, countRepeated } = await startKeeping(t, look)
      server.on('upgrade', (_request, socket: Socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
        socket.on('data', (data) => socket.end(`echo ${data}`))
      })
      const { port } = new URL(address)
      const socket = connect(Number(port), '127.0.0.1')
      let received = ''
      socket.on('data', (data) => {
        received += data
      })
      const send = async (bytes: string, expected: string) => {
        socket.write(bytes)
        await until(expected, async () => received.endsWith(expected))
      }
      await send(get('/a'), 'GET /a ')
      received = ''
      await send(get('/a'), 'GET /a ')
      assert.equal(countRepeated(), 1)
      await send(get('/ws', 'Connection: Upgrade\r\nUpgrade: echo\r\n'), '\r\n\r\n')
      await send(get('/a'), `echo ${get('/a')}`)
      socket.destroy()
    })
  })
}

/** Joins and cuts the requests as they say; each piece is sent when there was time for the one before. */
function cutPieces(parts: [{ bytes: string }, string | number][]): string[] {
  const pieces: string[] = ['']
  for (const [{ bytes }, cut] of parts) {
    if (cut === 'joined') pieces[pieces.length - 1] += bytes
    else if (typeof cut === 'number') pieces.push(bytes.slice(0, cut), bytes.slice(cut))
    else pieces.push(bytes)
  }
  return pieces.filter((piece) => piece !== '')
}

/** Sends pieces one after the other and reads the texts of the responses. */
async function exchange(address: string, pieces: string[], count: number): Promise<string[]> {
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', noDelay: true })
  let received = ''
  let texts: string[] = []
  const done = Promise.withResolvers<void>()
  socket.on('error', done.reject)
  socket.on('close', () => done.reject(new Error(`closed behind ${received}`)))
  socket.on('data', (data) => {
    received += data.toString('latin1')
    texts = readTexts(received)
    if (texts.length >= count) done.resolve()
  })
  for (const piece of pieces) {
    socket.write(piece)
    for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate)
  }
  await done.promise
  socket.removeAllListeners('close')
  socket.destroy()
  return texts
}

function readTexts(received: string): string[] {
  const texts: string[] = []
  for (let at = 0; ; ) {
    const end = received.indexOf('\r\n\r\n', at)
    if (end === -1) return texts
    const length = Number(/content-length: (\d+)/i.exec(received.slice(at, end))![1])
    if (received.length < end + 4 + length) return texts
    texts.push(received.slice(end + 4, end + 4 + length))
    at = end + 4 + length
  }
}

for (const kind of DATABASES) {
  describe(`repeated requests on ${kind.name}`, kind.options, () => {
    const start = async (t: TestContext) => {
      const { databaseUrl } = { databaseUrl: undefined, ...(await kind.createLocation(t)) }
      return startServer(t, databaseUrl ? { DATABASE_URL: databaseUrl } : {})
    }

    test('[HTTP-26, D10] given a response that is repeated, then it has the status, headers and body of the first one, but its own request id', async (t) => {
      const { address, secret } = await start(t)
      const read = (headers: string, version = '1.1') =>
        `GET /api/v1/folders/root HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n${headers}\r\n`
      const last = read('Connection: close\r\n')
      const [sample] = await requestRaw(address, last)
      const tag = sample!.headers.get('etag')!
      for (const [request, status] of [
        [read(''), 200],
        [read('', '1.0').replace('\r\n\r\n', '\r\nConnection: keep-alive\r\n\r\n'), 200],
        [read('Accept-Encoding: gzip\r\n'), 200],
        [read(`If-None-Match: ${tag}\r\n`), 304],
        [read(`If-None-Match: W/${tag}, "other"\r\n`), 304],
        [read('X-Request-Id: mine\r\n'), 200],
      ] as const) {
        const responses = await requestRaw(address, request, request, request, last)
        const [first, ...repeated] = responses.slice(0, 3).map(({ status, headers, text }) => {
          const { date, 'x-request-id': id, ...others } = Object.fromEntries(headers)
          assert.ok(date && id)
          return { id, rest: { status, others, text } }
        })
        assert.equal(first!.rest.status, status)
        for (const { id, rest } of repeated) {
          assert.deepEqual(rest, first!.rest)
          assert.equal(id === first!.id, request.includes('X-Request-Id'))
        }
      }
    })

    test('[HTTP-26, D10] given a response or a 304 whose body is cached, when its request comes again, then it is not parsed', async (t) => {
      const { address, secret } = await start(t)
      const parsed = countParsed(t, address)
      const send = keepConnection(t, address)
      const read = (lines: string) => send('folders/root', secret, lines)
      const tag = /etag: (\S+)/i.exec(await read(''))![1]
      for (const headers of [`If-None-Match: ${tag}\r\n`, '', 'Accept-Encoding: identity\r\n']) {
        // A commit of another test on the same PostgreSQL makes the next request be parsed.
        await until(`a response is sent again for "${headers.trim()}"`, async () => {
          const before = parsed()
          await read(headers)
          return parsed() === before
        })
      }
    })

    test('[HTTP-26, C5.4] given a request behind empty lines, when others send such lines alone, then they do not get its response', async (t) => {
      const { address, secret } = await start(t)
      const read = `GET /api/v1/team HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`
      const anonymous = (fields = '') => `GET /healthz HTTP/1.1\r\nHost: x\r\n${fields}\r\n`
      const last = anonymous('Connection: close\r\n')
      const [first] = await requestRaw(address, `\r\n\r\n${read}`, last)
      assert.match(first!.text, /Acme/)
      const texts = (await requestRaw(address, anonymous(), `\r\n\r\n${last}`)).map(({ text }) => text)
      assert.deepEqual(texts, ['{"status":"ok"}', '{"status":"ok"}'])
    })

    test('[HTTP-26, C1.3] given a request that repeats, when its token is revoked or the data change, then the very next response says so', async (t) => {
      const { address, secret, fixtures, team, database } = await start(t)
      const other = await fixtures.token(team)
      const send = keepConnection(t, address)
      const read = (token: string) => send('folders/root', token)
      for (let turn = 0; turn < 3; turn++) {
        for (let time = 0; time < 3; time++) assert.match(await read(secret), /^HTTP\/1\.1 200 /)
        await fixtures.folder(team, `Folder ${turn}`)
        assert.match(await read(secret), new RegExp(`Folder ${turn}`))
      }
      for (let time = 0; time < 3; time++) assert.match(await read(other.secret), /^HTTP\/1\.1 200 /)
      await changeTeam(database, team.key, (change) => revokeToken(change, other.id))
      assert.match(await read(other.secret), /^HTTP\/1\.1 401 /)
      assert.match(await read(secret), /^HTTP\/1\.1 200 /)
    })
  })
}
