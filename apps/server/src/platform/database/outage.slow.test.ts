import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_ERRORS, LIVE_CLOSE } from '@meadow/contract'
import pg from 'pg'
import { connectRaw } from '../../features/live/testing/raw-client.ts'
import { addSlider } from '../../features/live/testing/sliders.ts'
import { nextEvent, startLiveServer } from '../../features/live/testing/start-live-server.ts'
import { toErrorResponse } from '../../http/http-error.ts'
import { ensureFolder, findFolder } from '../../library/folders.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { DATABASES, type TestDatabase } from '../../testing/databases.ts'
import { type FaultProxy, startFaultProxy } from '../../testing/fault-proxy.ts'
import { startPostgres, TEMPLATE } from '../../testing/test-postgres.ts'
import { until } from '../../testing/until.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

/** In `npm run attack` there are two hundred. */
const FAULTS = 8

/** A server whose way to PostgreSQL can be broken. */
async function startBehindProxy(t: TestContext, url?: string) {
  const databaseUrl = url ?? (await postgres.createLocation(t)).databaseUrl!
  const proxy = await startFaultProxy(t, databaseUrl)
  const kind: TestDatabase = {
    ...postgres,
    createLocation: async () => ({ databaseUrl: proxy.url, dataDir: '' }),
  }
  const { log, lines } = createCapturedLog()
  const server = await startLiveServer(t, { kind, log })
  const admin = new pg.Client(databaseUrl)
  admin.on('error', () => {})
  await admin.connect()
  atEnd(t, () => admin.end())
  const terminate = () =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name like 'meadow%'`,
    )
  return { ...server, proxy, admin, terminate, lines }
}

/** Each breaks the database's connections in its way, and makes it good again. */
const createFaults = (proxy: FaultProxy, terminate: () => Promise<unknown>): (() => Promise<unknown>)[] => [
  terminate,
  async () => proxy.cut(),
  async () => {
    proxy.refuse()
    await sleep(randomInt(300))
    await proxy.resume()
  },
  terminate,
]

test('[DB-4, DB-5] given an error whose cause is a full disk, when it is answered, then it is 503 with a sentence that does not say why', () => {
  const cause = new DatabaseUnavailableError('unwritable', 'the disk is full', {
    database: 'database in "/srv"',
  })
  const { error, body } = toErrorResponse(new Error('It went wrong.', { cause }))
  assert.deepEqual(
    [error.status, error.code, error.headers],
    [503, 'database_unavailable', { 'retry-after': '5' }],
  )
  assert.deepEqual(JSON.parse(body), { error: 'Nothing can be stored at the moment. Try again shortly.' })
})

describe('a server whose database goes away', postgres.options, () => {
  test('[DB-1, DB-5, LIV-3] given people who read, write and edit, when connections are lost at random moments, then responses are correct or 503, and nothing acknowledged is lost', async (t) => {
    const { proxy, terminate, get, team, fixtures, database, person, open, lines } = await startBehindProxy(t)
    const id = await fixtures.document(team)
    const live = await open(id, (await person('ann')).cookie)
    const over = new AbortController()
    const statuses = new Map<number, number>()
    let [written, acknowledged] = [0, 0]

    async function read(): Promise<void> {
      for (const path of ['/team', '/folders/root', '/documents?q=t', `/documents/${id}`]) {
        const { status, json, headers } = await get(path)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status !== 503) assert.equal(status, 200, JSON.stringify(json))
        else {
          assert.deepEqual(json, { error: API_ERRORS.database_unavailable.sentence })
          assert.equal(headers.get('retry-after'), '5')
        }
      }
    }
    async function write(): Promise<void> {
      const name = `written ${written++}`
      await changeTeam(database, team.key, async (change) => {
        const root = await findFolder(database.read, team.key, 'root')
        await ensureFolder(change, root!.key, name)
      }).then(
        () => void acknowledged++,
        (error) => assert.equal(error.name, 'DatabaseUnavailableError', String(error)),
      )
    }
    const nodes: string[] = []
    async function edit(): Promise<void> {
      const node = addSlider(live)
      await live.durable()
      nodes.push(node)
    }
    const again = async (work: () => Promise<void>) => {
      while (!over.signal.aborted) await work()
    }
    const working = Promise.all([again(read), again(read), again(write), again(edit)])
    const faults = createFaults(proxy, terminate)
    for (let fault = 0; fault < FAULTS; fault++) {
      const before = [nodes.length, acknowledged]
      await sleep(randomInt(100))
      await faults[fault % faults.length]!()
      const goesOn = until('all go on', async () => nodes.length > before[0]! && acknowledged > before[1]!)
      await Promise.race([goesOn, working])
    }
    over.abort()
    await working
    assert.ok(statuses.get(200)! > 0)

    const { document } = (
      await until('it answers', async () => {
        const response = await get(`/documents/${id}`)
        return response.status === 200 && response
      })
    ).json
    assert.deepEqual(
      nodes.filter((node) => !(node in document.nodes)),
      [],
    )
    const { folder } = (await get('/folders/root')).json
    const folders = JSON.stringify(folder ?? (await get('/folders/root')).json).match(/written \d+/g) ?? []
    assert.ok(
      new Set(folders).size >= acknowledged,
      `${acknowledged} were acknowledged, and ${folders.length} are there`,
    )
    const stacks = lines.filter(({ level, err }) => level === 'error' && err)
    assert.deepEqual(stacks, [])
  })

  test('[DB-5, LIV-6] given an open document, when somebody edits while PostgreSQL never responds, then the socket is closed with 1013, new ones get 503, and the edit arrives afterwards', async (t) => {
    const { proxy, team, fixtures, person, open, address, request, get } = await startBehindProxy(t)
    const id = await fixtures.document(team)
    const { cookie } = await person('ann')
    const live = await open(id, cookie)
    const raw = await connectRaw(t, address, cookie)
    proxy.freeze()
    const broken = nextEvent(live, 'status', (status) => status === 'reconnecting')
    const node = addSlider(live)
    let isDurable = false
    const durable = live.durable().then(() => {
      isDurable = true
    })
    raw.authenticate(id)
    await broken
    const { code } = await raw.closed
    assert.equal(code, LIVE_CLOSE.tryAgain)
    const rejected = await request('/live', { headers: { cookie } })
    assert.equal(rejected.status, 503)
    assert.equal(isDurable, false)
    await proxy.resume()
    const { status } = await until('it answers', async () => {
      const response = await get('/team')
      return response.status === 200 && response
    })
    assert.equal(status, 200)
    await durable
    assert.deepEqual(Object.keys((await get(`/documents/${id}`)).json.document.nodes), [node])
  })

  test('[DB-1, DB-2, DB-5] given a PostgreSQL that crashes and starts anew, then the server goes on, and what was acknowledged is there', async (t) => {
    const own = await startPostgres()
    atEnd(t, async () => own[Symbol.asyncDispose]())
    const url = `${own.url}/${TEMPLATE}`
    await commitDurably(url)
    const { admin, get, lines, team, fixtures } = await startBehindProxy(t, url)
    const id = await fixtures.document(team)
    const { rows } = await admin.query(
      "select pid from pg_stat_activity where application_name = 'meadow' limit 1",
    )
    const crashed = new Promise((resolve) => admin.once('end', resolve))
    // The server ends all of its processes at once then, and recovers.
    process.kill(rows[0].pid, 'SIGKILL')
    await crashed
    const { json } = await until('it answers', async () => {
      const response = await get(`/documents/${id}`)
      assert.ok([200, 503].includes(response.status), JSON.stringify(response.json))
      return response.status === 200 && response
    })
    assert.equal(json.document.id, id)
    assert.deepEqual(
      lines.filter(({ err }) => err),
      [],
    )
  })

  test('[DB-2] given an outage, then what runs by itself says so once, without a stack', async (t) => {
    const { proxy, team, fixtures, person, open, get, lines, database } = await startBehindProxy(t)
    const live = await open(await fixtures.document(team), (await person('ann')).cookie)
    proxy.refuse()
    await until('it is noticed', async () => (await get('/team')).status === 503)
    // Each second sessions are checked, each half second solves, each three seconds heads.
    await until('the jobs have failed', async () => lines.some(({ msg }) => msg === 'live editing failed'))
    // Every half second: whoever is told tries again, and fails.
    let told = 0
    const subscription = database.subscribe(() => void told++)
    atEnd(t, () => subscription.close())
    await until('they have failed again', async () => told >= 5)
    await proxy.resume()
    await until('it answers', async () => (await get('/team')).status === 200)
    await addSliderSafely(live)
    const reported = lines.filter(({ level }) => level === 'error' || level === 'warn')
    assert.equal(
      new Set(reported.map(({ msg }) => msg)).size,
      reported.length,
      JSON.stringify(reported.map(({ msg }) => msg)),
    )
    for (const line of reported) assert.equal(typeof line.reason, 'string', JSON.stringify(line))
  })
})

/**
 * Makes the commits of all later connections survive a crash of PostgreSQL. The PostgreSQL of the tests does not wait for
 * its log (`synchronous_commit=off`), so a crash takes the last commits with it, the caller's token among them.
 */
async function commitDurably(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`alter database ${TEMPLATE} set synchronous_commit = on`)
  await client.end()
}

const addSliderSafely = async (live: Parameters<typeof addSlider>[0]) => {
  addSlider(live)
  await live.durable()
}
