import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { serveTasks } from '../../harness/processes.ts'
import { openStore } from './plain-store.ts'

// node plain-server.ts FILE-OR-URL: the API as one would write it in an afternoon with Fastify and Kysely, without tokens,
// tags, a cache or a log. Each handler is the queries that one would write, and an object that Fastify serializes.
// Fastify serializes responses with a schema faster than others.

const Reference = Type.Object({ id: Type.String(), name: Type.String() })
const Summary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  visibility: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

const Folder = Type.Object({
  id: Type.String(),
  name: Type.String(),
  parentId: Type.Union([Type.String(), Type.Null()]),
  path: Type.Array(Reference),
  folders: Type.Array(Reference),
  documents: Type.Array(Summary),
})

const Found = Type.Intersect([Summary, Type.Object({ folder: Reference })])

const folderSchema = { response: { 200: Type.Object({ folder: Folder }) } }
const searchSchema = { response: { 200: Type.Object({ documents: Type.Array(Found) }) } }

const store = openStore(process.argv[2]!)
const app = Fastify()

app.get<{ Params: { id: string } }>('/folders/:id', { schema: folderSchema }, async ({ params }, reply) => {
  const folder = await store.findFolder(params.id)
  return folder ? { folder } : reply.code(404).send({ error: 'Could not find that folder.' })
})

app.get<{ Params: { id: string } }>('/documents/:id', async ({ params }, reply) => {
  const document = await store.findDocument(params.id)
  return document ? { document } : reply.code(404).send({ error: 'Could not find that document.' })
})

app.get<{ Querystring: { q?: string } }>('/documents', { schema: searchSchema }, async ({ query }) => ({
  documents: await store.search(query.q ?? ''),
}))

serveTasks(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
})
