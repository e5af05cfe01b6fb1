import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { Document } from '@hocuspocus/server'
import type { LiveDocument } from '@meadow/client/live'
import { Awareness, applyAwarenessUpdate, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'
import type { Database } from '../../platform/database/database.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { openSharedPresence } from './shared-presence.ts'
import { nextEvent, startLiveServer } from './testing/start-live-server.ts'

const postgres = DATABASES.find(({ name }) => name === 'postgres')!

/** Resolves when the others who have the document open are these. */
async function untilOthers(live: LiveDocument, ...names: string[]): Promise<void> {
  const areThere = () => {
    const others = live.people.filter(({ isMe }) => !isMe).map(({ user }) => user?.name)
    return others.sort().join() === names.join()
  }
  if (!areThere()) await nextEvent(live, 'people', areThere)
}

describe('presence across processes', postgres.options, () => {
  test('[LIV-19] given clients of two processes, when one shows, moves and leaves, then the others see that, also those that come later, and large presences', async (t) => {
    const { fixtures, team, person, open, startAnother } = await startLiveServer(t, { kind: postgres })
    const other = await startAnother()
    const id = await fixtures.document(team)
    const [ann, bob, cyd] = [await person('ann'), await person('bob'), await person('cyd')]
    const here = await open(id, ann.cookie)
    const there = await open(id, bob.cookie, other.address)
    await Promise.all([untilOthers(here, 'bob'), untilOthers(there, 'ann')])

    const drag = Object.fromEntries(Array.from({ length: 500 }, (_, x) => [randomUUID(), { x, y: 1 }]))
    const moved = nextEvent(there, 'people', (people) => people.some(({ cursor }) => cursor?.x === 7))
    here.show({ cursor: { x: 7, y: 8 }, selection: ['node'], drag })
    const shown = (await moved).find(({ cursor }) => cursor?.x === 7)
    assert.deepEqual(shown, {
      user: { id: ann.id, name: 'ann' },
      cursor: { x: 7, y: 8 },
      selection: ['node'],
      drag,
      clientId: here.doc.clientID,
      isMe: false,
    })

    const late = await open(id, cyd.cookie, other.address)
    await Promise.all([untilOthers(here, 'bob', 'cyd'), untilOthers(late, 'ann', 'bob')])
    there.close()
    await Promise.all([untilOthers(here, 'cyd'), untilOthers(late, 'ann')])
    await other.stop()
    await untilOthers(here)
  })

  test('[LIV-19] given a client of another process, when somebody else shows a presence under its Yjs client, then it is not passed on', async (t) => {
    const [one, other] = await openProcesses(t, 2)
    const victim = createClient(t)
    one!.show(victim, { user: { id: 'ann', name: 'ann' }, cursor: { x: 1, y: 1 } })
    await until('the other process shows it', async () => other!.cursorOf(victim) === 1)

    const thief = createClient(t, victim.clientID)
    thief.meta.get(victim.clientID)!.clock = 1000
    const third = await openProcess(t, one!.databaseUrl)
    third.show(thief, { user: { id: 'eve', name: 'eve' }, cursor: { x: 666, y: 666 } })
    const witness = createClient(t)
    third.show(witness, { user: { id: 'eve', name: 'eve' }, cursor: { x: 2, y: 2 } })
    await until('later messages arrive', async () => one!.cursorOf(witness) === 2)
    assert.equal(one!.cursorOf(victim), 1)
  })

  test('[LIV-19] given a process that dies, then its clients are removed; given its connections are lost, then they are shown again', async (t) => {
    const [one, other] = await openProcesses(t, 2)
    const [client, observer] = [createClient(t), createClient(t)]
    const ann = { user: { id: 'ann', name: 'ann' } }
    one!.show(client, { ...ann, cursor: { x: 1, y: 1 } })
    other!.show(observer, { user: { id: 'bob', name: 'bob' }, cursor: { x: 5, y: 5 } })
    await until('they see each other', async () => one!.cursorOf(observer) && other!.cursorOf(client))

    await one!.cutConnections()
    one!.show(client, { ...ann, cursor: { x: 2, y: 2 } })
    await until('it is shown again', async () => other!.cursorOf(client) === 2)

    // A killed process closes nothing in an orderly way: all that is left of it is silence.
    one!.fallSilent()
    await until('it is removed', async () => other!.cursorOf(client) === undefined)
    assert.equal(other!.cursorOf(observer), 5)
  })

  test('[LIV-19] given a client that connects to another process before the first one has noticed, when that one does, then it is still shown', async (t) => {
    const [one, other] = await openProcesses(t, 2)
    const [client, observer] = [createClient(t), createClient(t)]
    const ann = { user: { id: 'ann', name: 'ann' } }
    const connection = one!.connect(client, { ...ann, cursor: { x: 1, y: 1 } })
    one!.show(observer, { user: { id: 'bob', name: 'bob' }, cursor: { x: 5, y: 5 } })
    await until('it is shown there', async () => other!.cursorOf(client) === 1)
    other!.show(client, { ...ann, cursor: { x: 2, y: 2 } })
    await until('it is shown here', async () => one!.cursorOf(client) === 2)

    connection.close()
    one!.show(observer, { user: { id: 'bob', name: 'bob' }, cursor: { x: 6, y: 6 } })
    await until('later messages arrive', async () => other!.cursorOf(observer) === 6)
    assert.deepEqual([one!.cursorOf(client), other!.cursorOf(client)], [2, 2])
  })
})

test('[LIV-14] given clients that connect again, then they see each other at once, and are removed when they close', async (t) => {
  // Awareness repeats every state within 15 s: without that, a state that was not taken never comes.
  const setAnyInterval = globalThis.setInterval
  const isOfAwareness = (ms: unknown) => ms === 3000
  t.mock.method(globalThis, 'setInterval', (work: () => void, ms: number) =>
    setAnyInterval(isOfAwareness(ms) ? () => {} : work, ms),
  )
  const { fixtures, team, person, open, restart } = await startLiveServer(t)
  const id = await fixtures.document(team)
  const ann = await open(id, (await person('ann')).cookie)
  const bob = await open(id, (await person('bob')).cookie)
  await Promise.all([untilOthers(ann, 'bob'), untilOthers(bob, 'ann')])
  await restart()
  await Promise.all([untilOthers(ann), untilOthers(bob)])
  await Promise.all([untilOthers(ann, 'bob'), untilOthers(bob, 'ann')])
  ann.close()
  await untilOthers(bob)
})

const KEY = 1 as DocumentKey
/** Often, so that silence shows soon. */
const HEARTBEAT_MS = 30

/** The presence of a process, with one document. */
async function openProcess(t: TestContext, databaseUrl: string) {
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  const processId = randomUUID()
  let isSilent = false
  const speaking: Pick<Database, 'dialect' | 'subscribe' | 'broadcast'> = {
    ...database,
    broadcast: async (messages) => (isSilent ? undefined : database.broadcast(messages)),
  }
  const presence = openSharedPresence({ database: speaking, processId, heartbeatMs: HEARTBEAT_MS })
  const document = new Document('doc')
  presence.open(KEY, document)
  atEnd(t, async () => {
    await presence.stop()
    document.destroy()
    await database.close()
  })
  return {
    databaseUrl,
    show(client: Awareness, state: object) {
      client.setLocalState(state)
      applyAwarenessUpdate(document.awareness, encodeAwarenessUpdate(client, [client.clientID]), null)
    },
    connect(client: Awareness, state: object) {
      const connection = { context: {}, messageAddress: 'doc', send() {} } as never
      document.addConnection(connection)
      client.setLocalState(state)
      document.applyAwarenessUpdate(connection, encodeAwarenessUpdate(client, [client.clientID]))
      return { close: () => document.removeConnection(connection) }
    },
    cursorOf: ({ clientID }: Awareness): number | undefined =>
      document.awareness.getStates().get(clientID)?.cursor.x,
    /** As when the network fails for a moment: PostgreSQL ends all other connections. */
    cutConnections: () =>
      database.transaction(async (write) => {
        const { sql } = await import('kysely')
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name like 'meadow%' and pid <> pg_backend_pid()`.execute(
          write,
        )
      }),
    fallSilent() {
      isSilent = true
    },
  }
}

async function openProcesses(t: TestContext, count: number) {
  const { databaseUrl } = await postgres.createLocation(t)
  return Promise.all(Array.from({ length: count }, () => openProcess(t, databaseUrl!)))
}

function createClient(t: TestContext, clientID?: number): Awareness {
  const doc = new Y.Doc()
  if (clientID !== undefined) doc.clientID = clientID
  const awareness = new Awareness(doc)
  atEnd(t, () => awareness.destroy())
  return awareness
}
