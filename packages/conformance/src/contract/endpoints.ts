import { expect, expectStatus, isObject, type Members, memberOf, need, type Sentence } from '../sentence.ts'
import { NOTHING, type Service } from '../service.ts'
import { listIn } from './search-results.ts'

/** Part 4 of the contract: the endpoints and their responses. */
export const ENDPOINTS: readonly Sentence[] = [
  {
    id: 'C4.1',
    says: 'All endpoints require the bearer token.',
    async check(service) {
      for (const path of Object.values(await listPaths(service))) {
        const answer = await service.get(path, { token: null })
        expect(answer.status >= 400, 'a refusal without a token', answer)
      }
    },
  },
  {
    id: 'C4.2',
    says: 'All responses are JSON objects.',
    async check(service) {
      for (const path of Object.values(await listPaths(service))) {
        const answer = await service.get(path)
        if (answer.status !== 200) continue
        const type = answer.headers['content-type'] ?? ''
        expect(/^application\/json\b/.test(type), `the type application/json of ${path}`, type)
        expect(isObject(answer.json), 'a JSON object', answer)
      }
    },
  },
  {
    id: 'C4.3',
    says: '/team responds with { team }.',
    async check(service) {
      await expectMember(service, '/team', 'team')
    },
  },
  {
    id: 'C4.4',
    says: '/folders/{folderId} responds with { folder }.',
    async check(service) {
      await expectMember(service, `/folders/${encodeURIComponent(await service.root())}`, 'folder')
    },
  },
  {
    id: 'C4.6',
    says: '/documents/{documentId} responds with { document }.',
    async check(service) {
      await expectMember(service, (await listPaths(service)).document, 'document')
    },
  },
  {
    id: 'C4.8',
    says: '/documents/{documentId}/export responds with { export: { url, expiresAt } }.',
    async check(service) {
      const { export: path } = await listPaths(service)
      const made = await expectMember(service, need(path, 'a solved document'), 'export')
      expect('url' in made && 'expiresAt' in made, "'url' and 'expiresAt'", Object.keys(made))
    },
  },
  {
    id: 'C4.5',
    says: '/documents responds with a list of document summaries with folder and isRoot.',
    async check(service) {
      const answer = await service.get('/documents')
      expectStatus(answer, 200)
      const items = listIn(answer.json)
      expect(items !== undefined, 'a list in an object', answer)
      for (const item of items)
        expect('folder' in item && 'isRoot' in item, "items with 'folder' and 'isRoot'", item)
    },
  },
  {
    id: 'C4.7',
    says: '/documents/{documentId}/solution responds with the solution.',
    sameAs: ['C3.5', 'C4.29'],
  },
  {
    id: 'C4.9',
    says: "Folder: the literal root gives the same folder that the team's rootFolderId names.",
    async check(service) {
      const byId = await service.get(`/folders/${encodeURIComponent(await service.root())}`)
      const byName = await service.get('/folders/root')
      expectStatus(byName, 200)
      expect(byName.bytes.equals(byId.bytes), "the folder of the team's 'rootFolderId'", byName)
    },
  },
  {
    id: 'C4.10',
    says: 'Folder: one that does not exist and one the caller may not see both answer 404 with the same words.',
    async check(service) {
      const missing = await service.get(`/folders/${NOTHING}`)
      expectStatus(missing, 404)
      const foreign = await service.get(`/folders/${encodeURIComponent((await service.foreign()).folder)}`)
      expectStatus(foreign, 404)
      expect(foreign.bytes.equals(missing.bytes), `the words ${missing.bytes}`, foreign)
    },
  },
]

interface Paths {
  team: string
  folder: string
  documents: string
  document: string
  solution: string
  export?: string
}

async function expectMember(service: Service, path: string, name: string): Promise<Members> {
  const answer = await service.get(path)
  expectStatus(answer, 200)
  const member = memberOf(answer.json, name)
  expect(isObject(member), `an object as '${name}'`, answer)
  return member
}

/** A path of each endpoint by the member of its response. Without a solved document there is none of an export. */
export async function listPaths(service: Service): Promise<Paths> {
  const [{ id }] = await service.documents()
  const document = `/documents/${encodeURIComponent(id)}`
  const { solved, withGeometry } = service.settings
  const states = [...(await service.states())]
  const done = withGeometry ?? solved ?? states.find(([, status]) => status === 200)?.[0]
  const solution = done === undefined ? document : `/documents/${encodeURIComponent(done)}`
  return {
    team: '/team',
    folder: `/folders/${encodeURIComponent(await service.root())}`,
    documents: '/documents',
    document,
    solution: `${solution}/solution`,
    ...(done !== undefined && { export: `${solution}/export?format=.gh` }),
  }
}
