import type { Answer } from '../http-client.ts'
import { expect, expectStatus, isObject, isText, memberOf, need, type Sentence } from '../sentence.ts'
import { NOTHING, type Service } from '../service.ts'
import { nameOf } from '../settings.ts'

/** Ids are opaque strings, so that these are ids which nothing has. */
const ODD_IDS = [
  ...['-1', 'null', 'ROOT', '__proto__', 'a%2Fb', '%27%20or%201=1', 'x'.repeat(3000)],
  ...['%', '%zz', '%00', '%E0%A4%A', '%F0%9F%98%80'],
]

/** Part 7 of the contract: errors. */
export const ERRORS: readonly Sentence[] = [
  {
    id: 'C7.1',
    says: 'The only 400 causes: a format that is not accepted, a modelerVersion outside 7, 8, 9, or one with .gh.',
    async check(service) {
      const [{ id }] = await service.documents()
      const document = `/documents/${encodeURIComponent(id)}`
      for (const path of [
        '/team?unknown=1',
        '/folders/root?format=x&depth=x',
        '/documents?unknown=1',
        '/documents?q=',
        '/documents?q=%00',
        `/documents?q=${'x'.repeat(3000)}`,
        '/documents?format=x&modelerVersion=1',
        `${document}?format=x`,
        `${document}/solution?includeGeometry=maybe`,
        `${document}/solution?unknown=1`,
        `${document}/export?format=.gh&unknown=1`,
      ]) {
        const answer = await service.get(path)
        expect(answer.status !== 400, 'no 400 for anything else', answer)
      }
    },
  },
  {
    id: 'C7.2',
    says: 'The solution endpoint distinguishes never solved, running and failed by status.',
    sameAs: ['C3.2', 'C3.3', 'C3.4'],
  },
  {
    id: 'C7.3',
    says: '500 with "This team is not set up correctly." means the team lacks its root folder.',
    async check(service) {
      const token = need(service.settings.rootlessToken, nameOf('rootlessToken'))
      for (const path of ['/team', '/folders/root', '/documents?folderId=root']) {
        const answer = await service.get(path, { token })
        expect(
          answer.status === 500 && memberOf(answer.json, 'error') === 'This team is not set up correctly.',
          '500 with "This team is not set up correctly."',
          answer,
        )
      }
    },
  },
  {
    id: 'C7.4',
    says: 'A missing document message reads like "Could not find that document."',
    async check(service) {
      const error = memberOf((await service.get(`/documents/${NOTHING}`)).json, 'error')
      expect(isText(error) && /\bdocument\b/i.test(error), 'a sentence about the document', error)
    },
  },
  {
    id: 'C7.5',
    says: 'Every refusal has a JSON body with a single key error whose value is a human-readable sentence.',
    async check(service) {
      for (const answer of await listRefusals(service)) {
        const type = answer.headers['content-type'] ?? ''
        expect(/^application\/json\b/.test(type), `the type application/json of ${answer.request}`, type)
        const error = memberOf(answer.json, 'error')
        expect(
          isObject(answer.json) && Object.keys(answer.json).length === 1 && isSentence(error),
          '{ "error": "A sentence." }',
          answer,
        )
      }
    },
  },
  {
    id: 'C7.6',
    says: '202: asked for, not finished: a solve is still running.',
    sameAs: ['C3.3'],
  },
  {
    id: 'C7.7',
    says: '400: a parameter the endpoint does not accept, or one sent where it does not apply',
    sameAs: ['C4.28', 'C4.34', 'C4.35', 'C4.37'],
  },
  { id: 'C7.8', says: '401: no token, or a revoked one', sameAs: ['C5.4'] },
  {
    id: 'C7.9',
    says: '403: token for a different team, or missing the needed scope',
    sameAs: ['C5.5a', 'C5.5b'],
  },
  {
    id: 'C7.10',
    says: '404: no such thing. Ids are opaque strings.',
    async check(service) {
      for (const pathOf of [
        (id: string) => `/folders/${id}`,
        (id: string) => `/documents/${id}`,
        (id: string) => `/documents/${id}/solution`,
        (id: string) => `/documents/${id}/export?format=.3dm`,
      ]) {
        const missing = await service.get(pathOf(NOTHING))
        expectStatus(missing, 404)
        for (const id of ODD_IDS) {
          const answer = await service.get(pathOf(id))
          expectStatus(answer, 404)
          expect(answer.bytes.equals(missing.bytes), `the words ${missing.bytes}`, answer)
        }
      }
    },
  },
  {
    id: 'C7.11',
    says: "404: a thing that is missing and one the caller cannot see give the identical answer, so that other teams' ids cannot be enumerated.",
    async check(service) {
      const ids = await service.foreign()
      const [document, folder] = [encodeURIComponent(ids.document), encodeURIComponent(ids.folder)]
      await expectIdentical(service, (id) => `/folders/${id}`, folder)
      for (const suffix of ['', '/solution', '/export?format=.3dm', '/export?format=.gh'])
        await expectIdentical(service, (id) => `/documents/${id}${suffix}`, document)
    },
  },
  {
    id: 'C7.12',
    says: '409: the solution and export endpoints when the document was never solved',
    sameAs: ['C3.2', 'C3.7'],
  },
  { id: 'C7.13', says: '500: fault on the service side', cannot: 'a fault cannot be asked for' },
  {
    id: 'C7.14',
    says: '502: a solve failed; the document is fine.',
    async check(service) {
      const id = await service.documentWith(502, 'failed')
      expectStatus(await service.get(`/documents/${encodeURIComponent(id)}`), 200)
    },
  },
]

/** A refusal of each kind that can be brought about with what the run was given. */
async function listRefusals(service: Service): Promise<Answer[]> {
  const { limitedTokens = [], revokedToken, failed } = service.settings
  const document = `/documents/${encodeURIComponent((await service.documents())[0].id)}`
  const answers = [
    await service.get('/team', { token: null }),
    await service.get('/nothing'),
    await service.get('/team', { method: 'POST' }),
    await service.get(`/folders/${NOTHING}`),
    await service.get(`/documents/${NOTHING}`),
    await service.get(`/documents?folderId=${NOTHING}`),
    await service.get(`${document}/solution?format=.json`),
    await service.get(`${document}/export`),
  ]
  if (revokedToken !== undefined) answers.push(await service.get('/team', { token: revokedToken }))
  for (const token of limitedTokens)
    for (const path of ['/team', '/folders/root', '/documents', `${document}/solution`])
      answers.push(await service.get(path, { token }))
  for (const [id, status] of await service.states())
    if (status === 409 || status === 502)
      answers.push(await service.get(`/documents/${encodeURIComponent(id)}/solution`))
  if (failed !== undefined)
    answers.push(await service.get(`/documents/${encodeURIComponent(failed)}/solution`))
  return answers.filter(({ status }) => status >= 400)
}

const isSentence = (value: unknown): boolean => typeof value === 'string' && /^\S.* .*\S$/s.test(value)

/** Expects the answer to a missing id for a foreign one, but for what differs each time, such as the date. */
async function expectIdentical(
  service: Service,
  pathOf: (id: string) => string,
  foreign: string,
): Promise<void> {
  const missing = await service.get(pathOf(NOTHING))
  const again = await service.get(pathOf(NOTHING))
  const isStable = (name: string) =>
    name !== 'date' && JSON.stringify(missing.headers[name]) === JSON.stringify(again.headers[name])
  const shown = ({ status, headers, bytes }: Answer) => {
    const stable = Object.entries(headers).filter(([name]) => isStable(name))
    return JSON.stringify({ status, headers: stable.sort(), body: bytes.toString() })
  }
  const answer = await service.get(pathOf(foreign))
  // That a foreign thing is not shown is a sentence of its own.
  if (answer.status >= 400)
    expect(shown(answer) === shown(missing), `to ${answer.request} ${shown(missing)}`, shown(answer))
}
