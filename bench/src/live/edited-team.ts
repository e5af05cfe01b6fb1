import {
  ALL_SCOPES,
  type DocumentId,
  type GraphContent,
  type MemberRole,
  type UserId,
} from '@meadow/contract'
import { createNode } from '@meadow/document/live'
import { openSessionSecret, writeSessionCookie } from '@meadow/server/src/access/session-cookie.ts'
import { createSessionStore } from '@meadow/server/src/access/sessions.store.ts'
import { createTokenSecret } from '@meadow/server/src/access/tokens.ts'
import { createUserStore } from '@meadow/server/src/access/users.store.ts'
import { createCatalogue } from '@meadow/server/src/catalogue/catalogue.ts'
import type { Database } from '@meadow/server/src/platform/database/database.ts'
import { type DatabaseLocation, openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import type { TeamKey } from '@meadow/server/src/platform/database/tables.ts'
import { createContent } from '../team/graph-content.ts'
import { createRandom } from '../team/random.ts'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const DAY_MS = 24 * 3600 * 1000
const MEMBERS = 20

/** A team with members who edit its documents and a token that reads them. */
export interface EditedTeam {
  dataDir: string
  cookie: string
  /** Sessions of several members: the connections of one are limited. */
  cookies: string[]
  token: string
  /** The documents by name, with their sliders. */
  documents: Record<string, { id: DocumentId; sliders: string[] }>
}

export async function buildEditedTeam(
  location: DatabaseLocation,
  shapes: Record<string, { nodes: number; sliders: number }>,
): Promise<EditedTeam> {
  const { dataDir } = location
  const database = await openDatabase(location)
  try {
    const catalogue = createCatalogue(database)
    const team = await catalogue.createTeam({ name: 'Edited' })
    const root = (await catalogue.findFolder(team.key, 'root'))!
    const token = createTokenSecret()
    const cookies: string[] = []
    for (let count = 0; count < MEMBERS; count++) {
      const { cookie } = await addMember(database, dataDir, team.key, { name: `Person${count}` })
      cookies.push(cookie)
    }
    await catalogue.changeTeam(team.key, (change) =>
      change.createToken({ name: 'bench', secret: token, scopes: ALL_SCOPES }),
    )
    const documents: EditedTeam['documents'] = {}
    for (const [name, { nodes, sliders }] of Object.entries(shapes)) {
      const content = createGraph(nodes, sliders)
      const bytes = Buffer.from(JSON.stringify(content.graph))
      const { id } = await catalogue.changeTeam(team.key, (change) =>
        change.createDocument({
          folder: root.key,
          name,
          createdAt: 0,
          updatedAt: 0,
          content: { kind: 'inline', bytes },
        }),
      )
      documents[name] = { id, sliders: content.sliders }
    }
    return { dataDir, cookie: cookies[0]!, cookies, token, documents }
  } finally {
    await database.close()
  }
}

/** A member of a team, signed in. */
export interface SignedInMember {
  user: UserId
  /** The cookie of a session. */
  cookie: string
}

export async function addMember(
  database: Database,
  dataDir: string,
  team: TeamKey,
  { name, role = 'member' }: { name: string; role?: MemberRole },
): Promise<SignedInMember> {
  const { id: user } = await createUserStore(database).createUser({ email: `${name}@example.org`, name })
  await createCatalogue(database).changeTeam(team, (change) => change.setMember(user, role))
  const secret = await openSessionSecret(dataDir, undefined)
  const session = { user, expiresAt: Date.now() + DAY_MS, userAgent: 'bench' }
  const created = await createSessionStore(database, secret).createSession(session)
  return { user, cookie: writeSessionCookie(created, { secret, isSecure: false }) }
}

const sums = Object.entries(
  (JSON.parse(createContent(createRandom(1), 3 * 2 ** 20).toString()) as GraphContent).nodes,
)

/** A graph of sums and sliders. */
function createGraph(nodes: number, sliders: number): { graph: GraphContent; sliders: string[] } {
  const own = Array.from({ length: sliders }, (_, x) => createNode(SLIDER, { position: { x, y: 0 } }))
  return {
    graph: {
      groups: [],
      configuration: { inputs: [], outputs: [] },
      nodes: Object.fromEntries([
        ...sums.slice(0, nodes - sliders),
        ...own.map((node) => [node.instanceId, node] as const),
      ]),
    },
    sliders: own.map(({ instanceId }) => instanceId),
  }
}
