import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { DocumentId, FolderId, Scope, TokenId } from '@meadow/contract'
import { revokeToken } from '../../../apps/server/src/access/team-tokens.ts'
import { numbers, tubes } from '../../../apps/server/src/features/solutions/testing/graphs.ts'
import { startSolutions } from '../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import type { SolveLease } from '../../../apps/server/src/features/solves/solve-leases.store.ts'
import { putGoneIntoBin } from '../../../apps/server/src/library/bin.ts'
import { moveDocument, renameDocument, setVisibility } from '../../../apps/server/src/library/documents.ts'
import { findFolder, moveFolder, renameFolder } from '../../../apps/server/src/library/folders.ts'
import { takeTimes } from '../../../apps/server/src/team/raise-version.ts'
import { changeTeam } from '../../../apps/server/src/team/team-transaction.ts'
import { atEnd } from '../../../apps/server/src/testing/at-end.ts'
import { startFaultProxy } from '../../../apps/server/src/testing/fault-proxy.ts'

/** What a test in Python can ask for, as JSON. */
interface Order {
  document?: DocumentId
  documents?: DocumentId[]
  folder?: string
  name?: string
  content?: keyof typeof CONTENTS
  path?: string[]
  scopes?: Scope[]
  folders?: FolderId[]
  token?: TokenId
  reason?: string
}

const CONTENTS = { tubes: () => tubes(), numbers: () => numbers(1000), empty: () => ({}) }

/**
 * A server that solves when it is told to, and an address at which tests in another process have things happen: the
 * response of `POST /name` with an order is what the function of this name returns.
 */
export async function startWorld(t: TestContext) {
  const server = await startSolutions(t, { isAlone: true })
  const { address, secret, team, database, fixtures } = server
  const proxy = await startFaultProxy(t, address)
  const leases = new Map<DocumentId, SolveLease>()

  const findDocument = async (id: DocumentId) =>
    database.read.selectFrom('document').select('id').where('public_id', '=', id).executeTakeFirstOrThrow()
  const takeLease = (id: DocumentId): SolveLease => {
    const lease = leases.get(id)
    if (!lease) throw new Error('No solve of this document runs.')
    leases.delete(id)
    return lease
  }

  const happen: Record<string, (order: Order) => Promise<unknown> | unknown> = {
    async createDocument({ name = 'Tower', content = 'empty', path = [] }) {
      const folder = await fixtures.folder(team, ...path)
      const body = content === 'empty' ? {} : { content: CONTENTS[content]() }
      return fixtures.document(team, { name, folder: folder.key, ...body })
    },
    createFolder: async ({ path = [] }) => (await fixtures.folder(team, ...path)).id,
    createToken: ({ scopes, folders }) =>
      fixtures.token(team, { ...(scopes && { scopes }), ...(folders && { folders }) }),
    revokeToken: ({ token }) => changeTeam(database, team.key, (change) => revokeToken(change, token!)),
    createTeam: async ({ name = 'Other' }) => {
      const other = await fixtures.team(name)
      return (await fixtures.token(other)).secret
    },
    solve: ({ document }) => server.solve(document!),
    failSolve: ({ document, reason = 'For a test.' }) => server.fail(document!, reason),
    beginSolve: async ({ document }) => void leases.set(document!, await server.run(document!)),
    endSolve: ({ document }) => server.solveLeased(takeLease(document!)),
    async rename({ document, name }) {
      const { id } = await findDocument(document!)
      await changeTeam(database, team.key, (change) => renameDocument(change, id, name!))
    },
    async move({ document, path = [] }) {
      const { id } = await findDocument(document!)
      const folder = await fixtures.folder(team, ...path)
      await changeTeam(database, team.key, (change) => moveDocument(change, id, folder.key))
    },
    async moveFolder({ folder, path = [] }) {
      const found = (await findFolder(database.read, team.key, folder!))!
      const parent = await fixtures.folder(team, ...path)
      await changeTeam(database, team.key, (change) => moveFolder(change, found.key, parent.key))
    },
    async publish({ document }) {
      const { id } = await findDocument(document!)
      await changeTeam(database, team.key, (change) => setVisibility(change, id, 'public'))
    },
    async renameFolder({ folder, name }) {
      const found = (await findFolder(database.read, team.key, folder!))!
      await changeTeam(database, team.key, (change) => renameFolder(change, found.key, name!))
    },
    async edit({ documents = [] }) {
      const take = () =>
        changeTeam(database, team.key, (change) => takeTimes(change.write, change.team, documents.length))
      const times = await take()
      await database.transaction(async (write) => {
        for (const [index, id] of documents.entries())
          await write
            .updateTable('document')
            .set({ updated_at: times[index]! })
            .where('public_id', '=', id)
            .execute()
      })
      // Responses that were cached meanwhile are of the version before.
      await take()
    },
    async remove({ document }) {
      const { id: key } = await findDocument(document!)
      await changeTeam(database, team.key, (change) => putGoneIntoBin(change, [{ kind: 'document', key }]))
    },
    cut: () => proxy.cut(),
    refuse: () => proxy.refuse(),
    freeze: () => proxy.freeze(),
    resume: () => proxy.resume(),
  }

  const control = createServer(async (request, response) => {
    try {
      const result = await readOrder(request).then((order) => happen[request.url!.slice(1)]!(order))
      response.end(JSON.stringify(result ?? null))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }).listen(0, '127.0.0.1')
  await once(control, 'listening')
  atEnd(t, () => {
    control.closeAllConnections()
    control.close()
  })
  return {
    env: {
      MEADOW_URL: address,
      MEADOW_TOKEN: secret,
      MEADOW_TEST_PROXY: proxy.url.replace(/\/$/, ''),
      MEADOW_TEST_CONTROL: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
    },
  }
}

const readOrder = async (request: IncomingMessage): Promise<Order> =>
  JSON.parse((await text(request)) || '{}')
