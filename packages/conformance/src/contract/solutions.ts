import {
  Broken,
  expect,
  expectStatus,
  isObject,
  isText,
  type Members,
  NotChecked,
  need,
  type Sentence,
} from '../sentence.ts'
import type { Service } from '../service.ts'
import { nameOf } from '../settings.ts'

/** Parts 2, 3 and 4 of the contract: solutions and their states. */
export const SOLUTIONS: readonly Sentence[] = [
  {
    id: 'C2.22',
    says: 'Solution: data is keyed by node instance id, holding a tree of values per node.',
    async check(service) {
      const { id, solution } = await readSolved(service)
      const nodes = listNodes(solution)
      expect(
        nodes.length > 0 && nodes.every(([, trees]) => isObject(trees)),
        "an object for each node in 'data'",
        solution.data,
      )
      const document = await service.get(`/documents/${encodeURIComponent(id)}`)
      const text = document.bytes.toString()
      // The document may have lost nodes since it was solved.
      expect(
        nodes.some(([node]) => text.includes(JSON.stringify(node))),
        "ids of the document's nodes as keys of 'data'",
        nodes.map(([node]) => node),
      )
    },
  },
  {
    id: 'C2.23',
    says: 'Solution: data.solutionId identifies this solve, so one solve can be told from the next.',
    async check(service) {
      const { id, solution } = await readSolved(service)
      const idOf = ({ data }: Members) => dataOf({ data }).solutionId
      const first = idOf(solution)
      expect(isText(first), "a string as 'data.solutionId'", first)
      const again = idOf((await readSolution(service, id)).solution)
      expect(again === first, `the same 'data.solutionId' when it is read again: ${first}`, again)
      for (const [other, status] of await service.states()) {
        if (status !== 200 || other === id) continue
        const theirs = idOf((await readSolution(service, other)).solution)
        expect(theirs !== first, `another 'data.solutionId' for another document than ${first}`, theirs)
      }
    },
  },
  {
    id: 'C2.24',
    says: 'Solution: includesGeometry is a boolean telling whether geometry is present in the answer.',
    async check(service) {
      const { solution } = await readSolved(service)
      const values = listIncludesGeometry(solution)
      expect(
        values.length > 0 && values.every((value) => typeof value === 'boolean'),
        "a boolean as 'includesGeometry' somewhere in the body",
        values,
      )
    },
  },
  {
    id: 'C2.25',
    says: 'Geometry accompanies the values only when it was requested.',
    async check(service) {
      const id = await service.documentWith(200, 'withGeometry', 'solved')
      for (const query of ['', '?includeGeometry=false', '?format=json']) {
        const includes = includesGeometry((await readSolution(service, id, query)).solution)
        expect(!includes, `false as 'includesGeometry' with "${query}"`, includes)
      }
    },
  },
  {
    id: 'C2.26',
    says: 'format=bimz: a flat store of objects keyed by platform id.',
    async check(service) {
      const { store } = await readBim(service)
      expect(store.length > 0, 'a map of objects', 'none')
    },
  },
  {
    id: 'C2.27',
    says: 'format=bimz: each object refers to the node and port it was computed for.',
    async check(service) {
      const { solution, store } = await readBim(service)
      const nodes = new Map(listNodes(solution))
      for (const object of store) {
        const texts = new Set(listTexts(object))
        const node = [...texts].find((text) => nodes.has(text))
        expect(node !== undefined, "the id of a node of 'data' in each object", Object.keys(object))
        const trees = nodes.get(node)
        const ports = isObject(trees) ? Object.keys(trees) : []
        expect(
          ports.length === 0 || ports.some((port) => texts.has(port)),
          'the id of a port of this node in each object',
          Object.keys(object),
        )
      }
    },
  },
  {
    id: 'C2.28',
    says: 'format=bimz: one object per value in a data-tree branch, each carrying its geometry.',
    cannot: 'the contract does not show the shape of trees and objects',
  },
  {
    id: 'C3.1',
    says: "A document's solution is in one of four states, each visible through the solution endpoint.",
    async check(service) {
      for (const [id, status] of await service.states())
        expect(
          [200, 202, 409, 502].includes(status),
          `200, 202, 409 or 502 for the solution of ${id}`,
          status,
        )
    },
  },
  ...(
    [
      ['C3.2', 'Never solved', 409, 'neverSolved'],
      ['C3.3', 'Solve running', 202, 'solving'],
      ['C3.4', 'Most recent solve failed', 502, 'failed'],
    ] as const
  ).map(
    ([id, state, status, setting]): Sentence => ({
      id,
      says: `${state}: ${status}`,
      async check(service) {
        // A document that was found by its status would always have it.
        const document = need(service.settings[setting], nameOf(setting))
        for (const query of ['', '?includeGeometry=true', '?format=bimz'])
          expectStatus(
            await service.get(`/documents/${encodeURIComponent(document)}/solution${query}`),
            status,
          )
      },
    }),
  ),
  {
    id: 'C3.5',
    says: 'Solved: 200 with the solution',
    async check(service) {
      const { solved, withGeometry, withoutGeometry } = service.settings
      const id = need(solved ?? withGeometry ?? withoutGeometry, nameOf('solved'))
      const answer = await service.get(`/documents/${encodeURIComponent(id)}/solution`)
      expectStatus(answer, 200)
      expect(isObject(answer.json), 'a JSON object', answer)
    },
  },
  {
    id: 'C3.6',
    says: "Opening a never-solved document in the editor solves it, which spends the team's credits.",
    cannot: 'the editor is outside the API',
  },
  {
    id: 'C4.25',
    says: 'includeGeometry: true requests geometry.',
    async check(service) {
      const id = await findWithGeometry(service)
      const { answer: plain } = await readSolution(service, id, '?includeGeometry=false')
      const { solution, answer } = await readSolution(service, id, '?includeGeometry=true')
      const includes = includesGeometry(solution)
      expect(includes, `true as 'includesGeometry' of document ${id}`, includes)
      expect(
        answer.bytes.length > plain.bytes.length,
        'a longer body with geometry',
        `${answer.bytes.length} bytes in place of ${plain.bytes.length}`,
      )
    },
  },
  {
    id: 'C4.26',
    says: 'includeGeometry is not applicable when format is bimz.',
    async check(service) {
      const { path, answer } = await readBim(service)
      for (const value of ['true', 'false']) {
        const other = await service.get(`${path}&includeGeometry=${value}`)
        expect(
          other.status === 200 && other.bytes.equals(answer.bytes),
          'the same body with and without it',
          other,
        )
      }
    },
  },
  {
    id: 'C4.27',
    says: 'Solution: format is json by default.',
    async check(service) {
      const { id, answer } = await readSolved(service)
      const json = await service.get(`/documents/${encodeURIComponent(id)}/solution?format=json`)
      expect(json.bytes.equals(answer.bytes), "with 'format=json' the body without it", json)
    },
  },
  {
    id: 'C4.28',
    says: 'Solution: format has no leading dot. Any other value than json and bimz gives 400.',
    async check(service) {
      const [{ id }] = await service.documents()
      for (const format of ['.json', '.bimz', 'xml', 'gh', ''])
        expectStatus(await service.get(`/documents/${encodeURIComponent(id)}/solution?format=${format}`), 400)
    },
  },
  {
    id: 'C4.29',
    says: 'json answers with data and includesGeometry.',
    async check(service) {
      const { solution } = await readSolved(service)
      expect(isObject(solution.data), "an object as 'data'", Object.keys(solution))
    },
  },
  {
    id: 'C4.30',
    says: 'Requesting geometry is a request, not a guarantee: without it, the answer is still 200 with the values.',
    async check(service) {
      const id = need(service.settings.withoutGeometry, nameOf('withoutGeometry'))
      const { solution: plain } = await readSolution(service, id)
      const answer = await service.get(`/documents/${encodeURIComponent(id)}/solution?includeGeometry=true`)
      expectStatus(answer, 200)
      const solution = isObject(answer.json) ? answer.json : {}
      const includes = includesGeometry(solution)
      expect(!includes, "false as 'includesGeometry'", includes)
      expect(
        JSON.stringify(solution.data) === JSON.stringify(plain.data),
        'the values of the answer without geometry',
        'others',
      )
    },
  },
  { id: 'C4.31', says: 'bimz answers with the BIM object document.', sameAs: ['C2.26', 'C2.27'] },
  {
    id: 'C4.32',
    says: 'Answers when there is no usable solution: 409, 202, 502.',
    sameAs: ['C3.2', 'C3.3', 'C3.4'],
  },
]

async function readSolution(service: Service, id: string, query = '') {
  const answer = await service.get(`/documents/${encodeURIComponent(id)}/solution${query}`)
  if (answer.status !== 200 || !isObject(answer.json)) throw new NotChecked('a solution that can be read')
  return { id, answer, solution: answer.json }
}

const readSolved = async (service: Service) =>
  readSolution(service, await service.documentWith(200, 'solved', 'withGeometry', 'withoutGeometry'))

/** A BIM object document with the solution that it is made of. Its store is found by its form. */
async function readBim(service: Service) {
  const id = await service.documentWith(200, 'withGeometry', 'solved')
  const { solution } = await readSolution(service, id)
  const path = `/documents/${encodeURIComponent(id)}/solution?format=bimz`
  const answer = await service.get(path)
  if (answer.status !== 200 || !isObject(answer.json))
    throw new Broken('a JSON object', String(answer.status))
  const stores = [answer.json, ...Object.values(answer.json)]
    .filter(isObject)
    .map((value) => Object.values(value))
  const store = stores.find((objects) => objects.length > 0 && objects.every(isObject)) ?? []
  return { path, answer, solution, store: store.filter(isObject) }
}

/** A document that was solved with geometry: the one of the settings, or the first one that has some. */
async function findWithGeometry(service: Service): Promise<string> {
  if (service.settings.withGeometry !== undefined) return service.settings.withGeometry
  for (const [id, status] of await service.states()) {
    if (status !== 200) continue
    const { solution } = await readSolution(service, id, '?includeGeometry=true')
    if (includesGeometry(solution)) return id
  }
  throw new NotChecked(nameOf('withGeometry'))
}

/** The values of a solution. Throws `NotChecked` without any, which the check of part 4 reports. */
function dataOf({ data }: Members): Members {
  return need(isObject(data) ? data : undefined, "a solution with 'data'")
}

/** Tells whether a solution says that it has geometry. Throws `NotChecked` when it does not say. */
function includesGeometry(solution: Members): boolean {
  const [value] = listIncludesGeometry(solution)
  return need(typeof value === 'boolean' ? value : undefined, "a boolean as 'includesGeometry'")
}

/** The nodes of a solution with their trees. */
const listNodes = (solution: Members): [string, Members][] =>
  Object.entries(dataOf(solution)).filter((entry): entry is [string, Members] => entry[0] !== 'solutionId')

/** The values of `includesGeometry` in a body, whose place the contract does not say. */
function listIncludesGeometry(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const own = isObject(value) && 'includesGeometry' in value ? [value.includesGeometry] : []
  return [...own, ...Object.values(value).flatMap(listIncludesGeometry)]
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}
