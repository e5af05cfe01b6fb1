import type { Answer } from '../http-client.ts'
import { expect, expectStatus, isObject, isText, memberOf, need, type Sentence } from '../sentence.ts'
import type { Service } from '../service.ts'
import { nameOf } from '../settings.ts'
import { isTimestamp } from './library.ts'

const HOUR_MS = 3_600_000

/** How far two clocks of the server may be apart: one of them counts whole seconds. In milliseconds. */
const TOLERANCE_MS = 2000

/** How many redirects of a download link are followed: a service may keep its files elsewhere. */
const MAX_REDIRECTS = 5

/** Long enough for the version in the header of a 3D model file. In bytes. */
const HEADER_BYTES = 32

/** Parts 2, 3 and 4 of the contract: exports. */
export const EXPORTS: readonly Sentence[] = [
  {
    id: 'C2.29',
    says: 'Export: url is a download link for the file.',
    async check(service) {
      const { url } = await readExport(service, 'format=.3dm')
      expect(isLink(url), "an absolute address as 'export.url'", isText(url) ? 'another text' : url)
      const { status, bytes } = await download(service, url)
      expect(
        status === 200 && bytes.length > 0,
        '200 with a file from the link',
        `${status}, ${bytes.length} bytes`,
      )
    },
  },
  {
    id: 'C2.30',
    says: 'Export: the link stops working at expiresAt.',
    async check(service) {
      const { status } = await download(service, need(service.settings.expiredLink, nameOf('expiredLink')))
      expect(status >= 400, 'a refusal of a link that has expired', status)
    },
  },
  {
    id: 'C2.31',
    says: 'Export: expiresAt is a timestamp.',
    async check(service) {
      const { expiresAt } = await readExport(service, 'format=.gh')
      expect(isTimestamp(expiresAt), 'a time such as 2026-01-31T09:30:00.000Z', expiresAt)
    },
  },
  {
    id: 'C2.32',
    says: 'Export: expiresAt is one hour after the response.',
    async check(service) {
      const { expiresAt, answer } = await readExport(service, 'format=.gh')
      // The clock of the server counts, where it is told.
      const answeredAt = Date.parse(answer.headers.date ?? new Date().toUTCString())
      const early = answeredAt + HOUR_MS - Date.parse(String(expiresAt))
      expect(
        early <= answer.durationMs + TOLERANCE_MS && early >= -TOLERANCE_MS,
        `about ${new Date(answeredAt + HOUR_MS).toISOString()}`,
        expiresAt,
      )
    },
  },
  {
    id: 'C3.7',
    says: 'The export endpoint answers 409 in the never-solved state.',
    async check(service) {
      const id = await service.documentWith(409, 'neverSolved')
      for (const format of ['.gh', '.3dm'])
        expectStatus(await service.get(`/documents/${encodeURIComponent(id)}/export?format=${format}`), 409)
    },
  },
  {
    id: 'C4.33',
    says: 'Export: format is required.',
    async check(service) {
      expectStatus(await getExport(service, ''), 400)
    },
  },
  {
    id: 'C4.34',
    says: 'Export: format is .gh or .3dm, with the leading dot. Any other value gives 400.',
    async check(service) {
      for (const format of ['gh', '3dm', '.stl', 'json', ''])
        expectStatus(await getExport(service, `format=${format}`), 400)
      for (const format of ['.gh', '.3dm']) expectStatus(await getExport(service, `format=${format}`), 200)
    },
  },
  {
    id: 'C4.35',
    says: 'Export: modelerVersion is 7, 8 or 9. Any other value gives 400.',
    async check(service) {
      for (const version of ['6', '10', 'x', '-7', ''])
        expectStatus(await getExport(service, `format=.3dm&modelerVersion=${version}`), 400)
      for (const version of [7, 8, 9])
        expectStatus(await getExport(service, `format=.3dm&modelerVersion=${version}`), 200)
    },
  },
  {
    id: 'C4.36',
    says: 'Export: modelerVersion is 9 by default.',
    async check(service) {
      const headerOf = async (query: string) => {
        const { url } = await readExport(service, `format=.3dm${query}`)
        const { bytes } = await download(service, need(isLink(url) ? url : undefined, 'a download link'))
        return bytes.toString('latin1', 0, HEADER_BYTES).trim()
      }
      const nine = await headerOf('&modelerVersion=9')
      const header = await headerOf('')
      expect(header === nine, `a file that begins as that of version 9: ${nine}`, header)
    },
  },
  {
    id: 'C4.37',
    says: 'Export: sending modelerVersion with .gh gives 400 (refused, not ignored).',
    async check(service) {
      for (const version of [7, 8, 9])
        expectStatus(await getExport(service, `format=.gh&modelerVersion=${version}`), 400)
    },
  },
  {
    id: 'C4.38',
    says: 'The response is a link, not the file: the client downloads the file from export.url.',
    sameAs: ['C2.29'],
  },
  {
    id: 'C4.39',
    says: 'An export is of a solution: a document that has never been solved gives 409.',
    sameAs: ['C3.7'],
  },
]

/** Requests a link without a token, and returns what it leads to. */
async function download(service: Service, link: string): Promise<Answer> {
  let address = link
  for (let redirects = 0; ; redirects++) {
    const answer = await service.send(address)
    const { location } = answer.headers
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined
    if (!isRedirect || redirects === MAX_REDIRECTS) return answer
    address = new URL(location, address).href
  }
}

const isLink = (url: unknown): url is string => isText(url) && URL.canParse(url)

async function getExport(service: Service, query: string): Promise<Answer> {
  const id = await service.documentWith(200, 'withGeometry', 'solved', 'withoutGeometry')
  return service.get(`/documents/${encodeURIComponent(id)}/export?${query}`)
}

/** The export object of a solved document. Throws `NotChecked` without one, which the checks of part 4 report. */
async function readExport(service: Service, query: string) {
  const answer = await getExport(service, query)
  const found = memberOf(answer.json, 'export')
  const { url, expiresAt } = need(isObject(found) ? found : undefined, 'a document that can be exported')
  return { url, expiresAt, answer }
}
