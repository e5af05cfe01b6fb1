import { join } from 'node:path'
import { ALL_SCOPES, API_PREFIX, type DocumentId } from '@meadow/contract'
import { openModelLibrary } from '@meadow/model'
import { createTokenSecret } from '@meadow/server/src/access/tokens.ts'
import { createCatalogue } from '@meadow/server/src/catalogue/catalogue.ts'
import { listModelValues } from '@meadow/server/src/features/solves/solution-files.ts'
import { createSolveStore } from '@meadow/server/src/features/solves/solves.store.ts'
import { openDiskBlobs } from '@meadow/server/src/platform/blobs/disk.ts'
import { openDatabase } from '@meadow/server/src/platform/database/open-database.ts'
import { createGraph } from '@meadow/server/src/testing/graph/create-graph.ts'
import { graft } from '@meadow/server/src/testing/graph/feed.ts'
import { solve } from '@meadow/solver'
import type { HttpRequest } from '../load/request.ts'

/** A team of documents whose solutions share one model file. */
export interface ExportedTeam {
  dataDir: string
  secret: string
  documents: DocumentId[]
  model: { path: string; bytes: number; objects: number }
}

const TERMS = { leaseMs: 3_600_000, maxTenths: 600 }

/** About 10 MB of points, lines, circles, boxes, tubes and small meshes. */
const manyObjects = () =>
  createGraph('Many objects', ({ group, add }) => {
    group('All', 'geometry')
    const centers = add(
      'Construct Point',
      [graft(add('Series', { Count: 21 }, 'East')), add('Series', { Count: 21 }, 'North')],
      'Places',
    )
    const posts = add('Line SDL', [centers, add('Unit Z', [], 'Up'), 3], 'Posts')
    add('Circle CNR', { Center: centers, Radius: 0.4 }, 'Rings')
    add('Box 2Pt', [centers, add('Construct Point', [0, 0, 5], 'Corner')], 'Boxes')
    add('Pipe', { Curve: posts, Radius: 0.1, Caps: 1 }, 'Tubes')
  })

export async function buildExportedTeam(dataDir: string, count: number): Promise<ExportedTeam> {
  const database = await openDatabase({ dataDir })
  try {
    const blobs = await openDiskBlobs(join(dataDir, 'blobs'))
    const catalogue = createCatalogue(database)
    const solves = createSolveStore(database)
    const team = await catalogue.createTeam({ name: 'Exported', credits: 1_000_000 })
    const root = (await catalogue.findFolder(team.key, 'root'))!
    const secret = createTokenSecret()
    const graph = manyObjects()
    const content = { kind: 'inline', bytes: Buffer.from(JSON.stringify(graph)) } as const
    await using library = openModelLibrary()
    const written = await library.write(listModelValues(graph, solve(graph)), {
      documentId: 'bench',
      archiveVersion: 7,
      units: 'none',
      savedAt: new Date(0),
    })
    const { digest, size: bytes } = await blobs.put(written.bytes)
    const model = { digest, bytes, objects: written.objectCount }
    const files = { valuesGzip: digest, valuesZstd: digest, valuesBytes: 1, model }
    const documents: DocumentId[] = []
    for (let made = 0; made < count; made++) {
      const { key, id } = await catalogue.changeTeam(team.key, (change) =>
        change.createDocument({
          folder: root.key,
          name: `Tower ${made}`,
          createdAt: 0,
          updatedAt: 0,
          content,
        }),
      )
      await solves.request(team.key, [key])
      const lease = (await solves.lease(TERMS))!
      await solves.complete(lease, {
        state: 'solved',
        seq: 1,
        endedAt: 0,
        durationMs: 1,
        chargedMs: 1,
        files,
      })
      documents.push(id)
    }
    await catalogue.changeTeam(team.key, (change) =>
      change.createToken({ name: 'bench', secret, scopes: ALL_SCOPES }),
    )
    const path = join(dataDir, 'blobs', digest.slice(0, 2), digest)
    return { dataDir, secret, documents, model: { path, bytes, objects: written.objectCount } }
  } finally {
    await database.close()
  }
}

export const exportRequest = ({ secret }: Pick<ExportedTeam, 'secret'>, id: DocumentId): HttpRequest => ({
  path: `${API_PREFIX}/documents/${id}/export?format=.3dm`,
  headers: { authorization: `Bearer ${secret}` },
})
