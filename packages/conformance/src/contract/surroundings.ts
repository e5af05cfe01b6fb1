import { expect, expectStatus, isText, memberOf, need, type Sentence } from '../sentence.ts'
import { NOTHING } from '../service.ts'

/** Part 1 of the contract: what the service does. */
export const PURPOSE: readonly Sentence[] = [
  {
    id: 'C1.1',
    says: "The service exposes a team's folder tree, its documents and the solutions of those documents.",
    async check(service) {
      const root = encodeURIComponent(await service.root())
      const [document] = await service.documents()
      const id = encodeURIComponent(document.id)
      for (const path of ['/team', `/folders/${root}`, '/documents', `/documents/${id}`])
        expectStatus(await service.get(path), 200)
      expectStatus(await service.get(`/documents/${id}/solution`), 200, 202, 409, 502)
    },
  },
  { id: 'C1.2', says: 'All API endpoints live under the prefix {base_url}/api/v1.', sameAs: ['C1.1'] },
  { id: 'C1.3', says: 'Anything outside that prefix refuses an API token.', sameAs: ['C5.6'] },
  {
    id: 'C1.4',
    says: 'The whole surface is read-only: every endpoint is a GET. No write endpoint exists.',
    async check(service) {
      // Nothing has these ids, so that a server which does have such endpoints loses nothing.
      const document = `/documents/${NOTHING}`
      for (const path of [`/folders/${NOTHING}`, document, `${document}/solution`, `${document}/export`])
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
          expectStatus(await service.get(path, { method }), 403, 404, 405, 501)
      // An endpoint that writes would look into this body, and the contract has no 400 for one.
      const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }
      for (const path of ['/team', '/folders', '/documents'])
        expectStatus(await service.get(path, broken), 403, 404, 405, 501)
    },
  },
  {
    id: 'C1.5',
    says: 'Replacing a document wholesale is deliberately not offered.',
    sameAs: ['C1.4'],
  },
  {
    id: 'C1.6',
    says: 'The API never starts a solve: a GET must never cause one.',
    async check(service) {
      const id = encodeURIComponent(await service.documentWith(409, 'neverSolved'))
      const solution = `/documents/${id}/solution`
      const before = await service.get(solution)
      need(before.status === 409 ? true : undefined, 'a document that was never solved')
      for (const path of [
        `/documents/${id}`,
        `${solution}?includeGeometry=true`,
        `${solution}?format=bimz`,
        `/documents/${id}/export?format=.gh`,
        `/documents/${id}/export?format=.3dm`,
      ])
        await service.get(path)
      const after = await service.get(solution)
      expect(after.status === 409, 'that a document which was never solved stays so when it is read', after)
    },
  },
  {
    id: 'C1.7',
    says: "A document's shape is an internal type and may change.",
    cannot: 'a permission and no promise',
  },
  {
    id: 'C1.8',
    says: 'Nothing is deleted or renamed without warning.',
    cannot: 'a promise about later versions',
  },
  {
    id: 'C1.9',
    says: 'The token determines the team; no team identifier is ever passed.',
    async check(service) {
      const rootOf = async (token: string) => {
        const { json } = await service.get('/team', { token })
        const id = memberOf(memberOf(json, 'team'), 'rootFolderId')
        return need(isText(id) ? id : undefined, "a team whose 'rootFolderId' can be read")
      }
      const own = await rootOf(service.settings.token)
      const theirs = await rootOf(service.other().token)
      expect(own !== theirs, "that each team's token reads its own team", { own, theirs })
    },
  },
]

/** Parts 8 and 9 of the contract: limits and versioning. */
export const VERSIONING: readonly Sentence[] = [
  {
    id: 'C8.1',
    says: 'Document search returns at most 50 documents; no paging exists.',
    sameAs: ['C4.20', 'C4.21'],
  },
  { id: 'C8.2', says: 'The export link expires one hour after it is issued.', sameAs: ['C2.32'] },
  { id: 'C9.1', says: 'The API version is in the path prefix: /api/v1.', sameAs: ['C1.1'] },
  {
    id: 'C9.2',
    says: 'document.version is the number to branch on; it is currently 1.',
    sameAs: ['C2.18'],
  },
  {
    id: 'C9.3',
    says: 'Removals and renames of the document shape are announced.',
    cannot: 'a promise about later versions',
  },
  {
    id: 'C9.4',
    says: 'Endpoints outside the prefix change with the web app and are not part of the API.',
    sameAs: ['C5.6'],
  },
]
