import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createSuiteScope } from '../../testing/at-end.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { DATABASES } from '../../testing/databases.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { requestRaw } from '../../testing/raw-answers.ts'
import { startServer } from '../../testing/start-server.ts'
import { until } from '../../testing/until.ts'

const TWO_READERS = { MEADOW_READERS: '2', MEADOW_SOLVE_WORKERS: '0' }

/** Responses without what differs each time. */
const comparable = ({ status, headers, text }: { status: number; headers: Headers; text: string }) => ({
  status,
  headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  text,
})

/** A request as bytes. With the field `TE`, which means nothing here, it is the server's and not a reader's. */
const toBytes = (method: string, path: string, fields: readonly string[], isServers = false) =>
  [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: localhost',
    ...fields,
    ...(isServers ? ['TE: trailers'] : []),
    '',
    '',
  ].join('\r\n')

/** The readers of a process. */
async function listReaders(parent: number): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) && (await readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''))
    if (!stat || Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) !== parent) continue
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('reader.worker')) found.push(Number(name))
  }
  return found
}

/** The process that serves this data folder. */
async function findServer(dataDir: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const environ = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '')
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (environ.includes(dataDir) && command.includes('meadow-server')) return Number(name)
  }
  assert.fail('there is no such process')
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Sends a request on a connection of the agent, and reads the response to its end. */
function send(address: string, path: string, agent: Agent, headers: Record<string, string>, method = 'GET') {
  return new Promise<IncomingMessage>((resolve, reject) => {
    get(`${address}${path}`, { agent, headers, method }, (response) => {
      response.on('end', () => resolve(response)).on('error', reject)
      response.resume()
    }).on('error', reject)
  })
}

for (const kind of DATABASES)
  describe(`readers on ${kind.name}`, kind.options, async () => {
    const scope = createSuiteScope()
    const start = async () => {
      const { databaseUrl } = await kind.createLocation(scope)
      const { log, lines } = createCapturedLog()
      const server = await startServer(
        scope,
        { ...TWO_READERS, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
        log,
      )
      return { ...server, lines }
    }
    let started: ReturnType<typeof start> | undefined
    /** One service for all tests of this kind. */
    const getServer = () => {
      started ??= start()
      return started
    }

    test('[READ-1] given any read, when a reader and when the server answers it, then status, headers and bytes are the same', async () => {
      const { address, secret, fixtures, team } = await getServer()
      const document = await fixtures.document(team)
      const narrow = await fixtures.token(team, { scopes: ['team:read'] })
      const token = `Authorization: Bearer ${secret}`
      const paths = [
        '/team',
        '/folders/root',
        `/documents/${document}`,
        '/documents?q=tow',
        '/folders/none',
        '/documents/a%00',
      ]
      for (const path of paths) {
        const { headers } = (
          await requestRaw(address, toBytes('GET', path, [token, 'Connection: close']))
        )[0]!
        for (const fields of [
          [token],
          [token, 'Accept-Encoding: gzip'],
          [token, `If-None-Match: ${headers.get('etag')}`],
          [token, token],
          [`Authorization: Bearer ${narrow.secret}`],
          [],
        ])
          for (const method of ['GET', 'HEAD']) {
            const both = [...fields, 'Connection: close']
            const [reader] = await requestRaw(address, toBytes(method, path, both))
            const [server] = await requestRaw(address, toBytes(method, path, both, true))
            assert.deepEqual(comparable(reader!), comparable(server!), `${method} ${path} ${fields}`)
          }
      }
    })

    test('[READ-4] given connections to all processes, when a document is made or a token revoked, then the very next request sees it', async () => {
      const { address, fixtures, team, catalogue } = await getServer()
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let i = 0; i < 6; i++) {
        const token = await fixtures.token(team)
        const headers = { authorization: `Bearer ${token.secret}` }
        const path = `/api/v1/documents?q=new${i}x`
        const read = async () => {
          const response = await fetch(address + path, { headers })
          return (await response.json()) as { documents: object[] }
        }
        assert.equal((await read()).documents.length, 0)
        assert.equal((await read()).documents.length, 0)
        await fixtures.document(team, { name: `new${i}x` })
        assert.equal((await read()).documents.length, 1)
        await catalogue.changeTeam(team.key, (change) => change.revokeToken(token.id))
        assert.equal((await send(address, path, agent, headers)).statusCode, 401)
      }
      agent.destroy()
    })

    test('[READ-2, READ-3] given any requests on one connection, in any pieces, when they are sent, then all are answered once, in their order', async () => {
      const { address, secret } = await getServer()
      const { hostname, port } = new URL(address)
      const token = `Authorization: Bearer ${secret}`
      const kinds: Record<string, [bytes: string, status: number]> = {
        team: [toBytes('GET', '/team', [token]), 200],
        folder: [toBytes('GET', '/folders/root', [token]), 200],
        denied: [toBytes('GET', '/team', []), 401],
        elsewhere: [toBytes('GET', '/nothing', [token]), 404],
        upload: [
          `${toBytes('POST', '/team', [token, 'Content-Length: 38'])}GET /api/v1/team HTTP/1.1\r\nHost: x\r\n\r\n`,
          405,
        ],
        chunks: [
          `${toBytes('PUT', '/team', [token, 'Transfer-Encoding: chunked'])}5\r\nGET /\r\n0\r\n\r\n`,
          405,
        ],
        health: ['GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n', 200],
      }
      const steps = fc.array(
        fc.record({
          kind: fc.constantFrom(...Object.keys(kinds)),
          cuts: fc.array(fc.nat(200), { maxLength: 2 }),
          waits: fc.boolean(),
        }),
        { minLength: 1, maxLength: 8 },
      )
      await fc.assert(
        fc.asyncProperty(steps, async (requests) => {
          const socket = connect(Number(port), hostname)
          const responses = readStatuses(socket)
          let sent = 0
          for (const { kind: of, cuts, waits } of requests) {
            const [bytes] = kinds[of]!
            const ends = [...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b)
            for (const [index, end] of ends.entries()) {
              socket.write(bytes.slice(ends[index - 1] ?? 0, end))
              await new Promise((resolve) => setImmediate(resolve))
            }
            sent++
            if (waits) await responses.reach(sent)
          }
          await responses.reach(sent)
          assert.deepEqual(
            responses.statuses,
            requests.map(({ kind: of }) => kinds[of]![1]),
          )
          socket.destroy()
        }),
        { numRuns: 40 },
      )
    })

    test('[READ-3] given many connections that move to and fro at once, when each request follows its response, then none is lost', async () => {
      const { address, secret } = await getServer()
      const { hostname, port } = new URL(address)
      let count = 0
      // Each is another one, so that none is answered from memory at once.
      const read = () =>
        toBytes('GET', '/folders/root', [`Authorization: Bearer ${secret}`, `X-Request-Id: move-${++count}`])
      const elsewhere = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
      const clients = Array.from({ length: 32 }, async () => {
        for (let round = 0; round < 8; round++) {
          const socket = connect(Number(port), hostname)
          const responses = readStatuses(socket)
          for (const [index, bytes] of [elsewhere, read(), read(), elsewhere, read()].entries()) {
            socket.write(bytes)
            await responses.reach(index + 1)
          }
          socket.destroy()
        }
      })
      await Promise.all(clients)
    })

    test('[READ-6, READ-7] given reads on several connections, when the metrics are read, then every request is counted, and logged once', async () => {
      const { address, secret, request, lines } = await getServer()
      const count = async () => {
        const { text } = await request('/metrics')
        return Number(
          /^meadow_http_request_duration_seconds_count\{route="\/api\/v1\/team",status="200"\} (\d+)$/m.exec(
            text,
          )?.[1] ?? 0,
        )
      }
      const before = await count()
      const ids = Array.from({ length: 30 }, (_, i) => `metrics-${i}`)
      await Promise.all(
        ids.map((id) =>
          fetch(`${address}/api/v1/team`, {
            headers: { authorization: `Bearer ${secret}`, 'x-request-id': id },
          }).then((response) => response.text()),
        ),
      )
      assert.equal(await count(), before + ids.length)
      const logged = () =>
        lines.map(({ requestId }) => String(requestId)).filter((id) => id.startsWith('metrics-'))
      await until('all lines are there', async () => logged().length >= ids.length)
      assert.deepEqual(logged().sort(), ids.sort())
    })

    test('[READ-8, READ-6] given a reader that is killed, when requests follow, then they are answered, its connections alone are lost, it is replaced, and no counter goes back', {
      skip: process.platform !== 'linux' && 'processes are found in /proc',
    }, async () => {
      const { address, secret, lines, request } = await getServer()
      const readers = await listReaders(process.pid)
      assert.equal(readers.length, 2)
      const headers = { authorization: `Bearer ${secret}` }
      const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
      for (const agent of agents) await send(address, '/api/v1/team', agent, headers)
      const read = async () =>
        Number(/^process_cpu_seconds_total (\S+)$/m.exec((await request('/metrics')).text)![1])
      const before = await read()
      process.kill(readers[0]!, 'SIGKILL')
      await until('the end is logged', async () =>
        lines.some(({ msg }) => msg === 'a process that reads has ended'),
      )
      assert.ok((await read()) >= before)
      const results = await Promise.allSettled(
        agents.map((agent) => send(address, '/api/v1/team', agent, headers)),
      )
      const answered = results.filter(
        (result) => result.status === 'fulfilled' && result.value.statusCode === 200,
      )
      assert.ok(answered.length >= 2, `${answered.length} of 4`)
      for (let i = 0; i < 5; i++)
        assert.equal((await fetch(`${address}/api/v1/team`, { headers })).status, 200)
      await until('it is replaced', async () => (await listReaders(process.pid)).length === 2)
      for (const agent of agents) agent.destroy()
    })
  })

/** The status of each response that arrives on a connection, all of which have a length. */
function readStatuses(socket: Socket) {
  const statuses: number[] = []
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
    for (;;) {
      const end = text.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = text.slice(0, end)
      const length = Number(/^content-length: (\d+)$/im.exec(head)![1])
      if (text.length < end + 4 + length) return
      statuses.push(Number(head.slice(9, 12)))
      text = text.slice(end + 4 + length)
    }
  })
  return {
    statuses,
    async reach(count: number) {
      while (statuses.length < count) {
        assert.ok(!socket.closed, `closed after ${statuses.length} of ${count}`)
        const ended = once(socket, 'close').then(() =>
          assert.fail(`closed after ${statuses.length} of ${count}`),
        )
        await Promise.race([once(socket, 'data'), ended])
      }
    },
  }
}

test('[READ-5] given a rate limit and more connections than readers, when a token asks more often, then as many requests are answered as the limit says', async (t) => {
  const { address, secret } = await startServer(t, { ...TWO_READERS, MEADOW_RATE_LIMIT: '20' })
  const ask = () =>
    fetch(`${address}/api/v1/team`, { headers: { authorization: `Bearer ${secret}`, connection: 'close' } })
  const statuses = (await Promise.all(Array.from({ length: 30 }, ask))).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 20)
  assert.equal(statuses.filter((status) => status === 429).length, 10)
})

test('[READ-5] given as many idle connections as may be open, most of them at readers, when another one is made, then an idle one is closed', async (t) => {
  const { address, secret } = await startServer(t, { ...TWO_READERS, MEADOW_MAX_CONNECTIONS: '10' })
  const { hostname, port } = new URL(address)
  const open: Socket[] = []
  let closed = 0
  t.after(() => {
    for (const socket of open) socket.destroy()
  })
  for (let i = 0; i < 12; i++) {
    const socket = connect(Number(port), hostname)
    socket.on('close', () => closed++)
    open.push(socket)
    const responses = readStatuses(socket)
    socket.write(toBytes('GET', '/team', [`Authorization: Bearer ${secret}`]))
    await responses.reach(1)
  }
  await until('two were closed', async () => closed === 2)
})

test('[READ-5] given connections that readers have not taken yet, then each of them counts once', {
  skip: process.platform !== 'linux' && 'processes are found in /proc',
}, async (t) => {
  const { address, secret } = await startServer(t, { ...TWO_READERS, MEADOW_MAX_CONNECTIONS: '10' })
  const { hostname, port } = new URL(address)
  const readers = await listReaders(process.pid)
  for (const reader of readers) process.kill(reader, 'SIGSTOP')
  t.after(() => {
    for (const reader of readers.filter(isRunning)) process.kill(reader, 'SIGCONT')
  })
  const open = Array.from({ length: 11 }, () => connect(Number(port), hostname))
  t.after(() => {
    for (const socket of open) socket.destroy()
  })
  const statuses = open.map(readStatuses)
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  for (const socket of open) socket.on('error', () => {}).on('close', () => close())
  for (const socket of open) socket.write(toBytes('GET', '/team', [`Authorization: Bearer ${secret}`]))
  await closed
  for (const reader of readers) process.kill(reader, 'SIGCONT')
  await until(
    'ten are answered',
    async () => statuses.filter(({ statuses: [first] }) => first === 200).length === 10,
  )
})

test('[READ-8] given a reader that hangs, when it does not report any more, then it is ended and replaced', {
  skip: process.platform !== 'linux' && 'processes are found in /proc',
}, async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { log, lines } = createCapturedLog()
  await startServer(t, TWO_READERS, log)
  const [hanging] = await listReaders(process.pid)
  process.kill(hanging!, 'SIGSTOP')
  await until('it has ended', async () => {
    t.mock.timers.tick(5000)
    return !isRunning(hanging!)
  })
  await until('it is replaced', async () =>
    lines.some(({ msg }) => msg === 'a process that reads was replaced'),
  )
})

test('[READ-9] given connections to readers, when the server is told to stop, then what is in progress is answered, and the readers end', {
  skip: process.platform !== 'linux' && 'processes are found in /proc',
}, async (t) => {
  const { address, secret, service } = await startServer(t, {
    ...TWO_READERS,
    MEADOW_STOP_NOTICE_SECONDS: '1',
  })
  const readers = await listReaders(process.pid)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let isOver = false
  const clients = Array.from({ length: 8 }, async () => {
    for (;;) {
      const response = await send(address, '/api/v1/folders/root', agent, {
        authorization: `Bearer ${secret}`,
      })
      assert.equal(response.statusCode, 200)
      if (response.headers.connection === 'close') return
      if (!isOver) {
        isOver = true
        void service.stop()
      }
    }
  })
  await Promise.all(clients)
  await service.stop()
  agent.destroy()
  await until('the readers have ended', async () => readers.every((pid) => !isRunning(pid)))
})

test('[READ-9, READ-10] given a server with readers, when it is killed, then its readers end; when its port is in use, then none are left', {
  skip: noLauncher || (process.platform !== 'linux' && 'processes are found in /proc'),
}, async (t) => {
  const there = await createCommandLine(t, { ...TWO_READERS, MEADOW_PORT: '0' })
  const server = there.start('serve', '--json')
  const { address } = JSON.parse(await server.firstLine())
  const second = await createCommandLine(t, { ...TWO_READERS, MEADOW_PORT: new URL(address).port })
  const { code, stderr } = await second.start('serve').finished
  assert.equal(code, 1)
  assert.match(stderr, /Port \d+ is in use\. Set MEADOW_PORT to another one/)
  const readers = await listReaders(await findServer(there.dataDir))
  assert.equal(readers.length, 2)
  server.kill('SIGKILL')
  await server.finished
  await until('its readers have ended', async () => readers.every((pid) => !isRunning(pid)))
})
