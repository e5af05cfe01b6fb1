import { Broken, expect, expectStatus, isText, type Members, NotChecked, type Sentence } from '../sentence.ts'
import { type ListedDocument, NOTHING, type ReadFolder, type Service } from '../service.ts'
import { listIn, sameIds, search } from './search-results.ts'

/** The largest number of documents that a search returns. */
const MAX_RESULTS = 50

/** Part 4 of the contract: the document search. */
export const SEARCH: readonly Sentence[] = [
  {
    id: 'C4.11',
    says: 'q is a case-insensitive substring match anywhere in the name.',
    async check(service) {
      const documents = await service.documents()
      const names = documents.map(({ name }) => name).filter((name) => isAscii(name) && name.length > 2)
      if (names.length === 0) throw new NotChecked('documents whose names have three ASCII letters or more')
      for (const name of names.slice(0, 5))
        for (const q of [name.slice(1).toUpperCase(), name.slice(0, -1).toLowerCase(), name.slice(1, -1)])
          await expectFound(service, documents, q)
    },
  },
  {
    id: 'C4.12',
    says: '% and _ match as themselves, not as wildcards.',
    async check(service) {
      const documents = await service.documents()
      const [{ name } = { name: '' }] = documents.filter((one) => isAscii(one.name) && one.name.length > 2)
      const patterns = name && [`${name[0]}%${name.at(-1)}`, `${name.slice(0, 1)}_${name.slice(2)}`]
      for (const q of ['%', '_', ...patterns]) await expectFound(service, documents, q)
    },
  },
  {
    id: 'C4.13',
    says: 'With q, documents whose names start with the query come first.',
    async check(service) {
      const documents = await service.documents()
      const [q] = findQueries(documents, (starting, others) => Math.min(starting.length, others.length))
      if (q === undefined)
        throw new NotChecked('a document whose name starts with a word that is inside the name of another')
      const starts = (await search(service, { q })).items.map(({ name }) =>
        String(name).toLowerCase().startsWith(q.toLowerCase()),
      )
      expect(
        starts.lastIndexOf(true) < starts.indexOf(false),
        `that names starting with "${q}" come first`,
        starts.map((isStart) => (isStart ? 'starts' : 'contains')),
      )
    },
  },
  {
    id: 'C4.14',
    says: 'The remaining matches are ordered by time of last change.',
    async check(service) {
      const documents = await service.documents()
      // Any two are in some order.
      const [q] = findQueries(documents, (_, others) => (others.length > 2 ? others.length : 0))
      if (q === undefined) throw new NotChecked('three documents with a word inside their names')
      const { items } = await search(service, { q })
      const times = items
        .filter(({ name }) => !String(name).toLowerCase().startsWith(q.toLowerCase()))
        .map(({ updatedAt }) => Date.parse(String(updatedAt)))
      expect(
        isSorted(times) || isSorted(times.toReversed()),
        `one order of the times of change where names have "${q}" inside`,
        times.map((time) => new Date(time)),
      )
    },
  },
  {
    id: 'C4.15',
    says: "Without q: all the team's documents. This is a valid request, not an error.",
    async check(service) {
      const documents = await service.documents()
      expectStatus(await service.get('/documents'), 200)
      const { items } = await search(service)
      const isComplete =
        documents.length > MAX_RESULTS
          ? items.length >= MAX_RESULTS
          : sameIds(items, documents.map(toMembers))
      expect(
        isComplete,
        `the ${documents.length} documents of the team's folders`,
        `${items.length} documents`,
      )
    },
  },
  {
    id: 'C4.16',
    says: 'Without q: newest first.',
    async check(service) {
      const { items } = await search(service)
      // Whether it is the newest document or the newest change, the contract does not say.
      const orders = ['updatedAt', 'createdAt'].map((member) =>
        items.map((item) => Date.parse(String(item[member]))),
      )
      const told = orders.filter((times) => new Set(times).size > 1)
      if (told.length === 0) throw new NotChecked('documents of different times')
      expect(
        told.some(isSorted),
        'the newest first',
        items.map(({ updatedAt }) => updatedAt),
      )
    },
  },
  {
    id: 'C4.17',
    says: 'folderId restricts to that folder and everything inside it at any depth.',
    async check(service) {
      const documents = await service.documents()
      const isBelow = (folder: ReadFolder, id: string) => folder.id === id || folder.above.includes(id)
      const [folder] = (await service.folders()).filter(({ id }) => {
        const inside = documents.filter((document) => isBelow(document.folder, id))
        return (
          inside.length < Math.min(documents.length, MAX_RESULTS + 1) &&
          inside.some(({ folder: { above } }) => above.slice(0, -1).includes(id))
        )
      })
      if (!folder)
        throw new NotChecked('a folder with a document two levels below it, and a document elsewhere')
      const inside = documents.filter((document) => isBelow(document.folder, folder.id))
      const { items } = await search(service, { folderId: folder.id })
      expect(
        sameIds(items, inside.map(toMembers)),
        `the ${inside.length} documents in folder ${folder.id} and below it`,
        items.map(({ name }) => name),
      )
    },
  },
  {
    id: 'C4.18',
    says: 'folderId: root is accepted in place of an id.',
    async check(service) {
      const answer = await service.get('/documents?folderId=root')
      const { items } = await search(service, { folderId: await service.root() })
      expect(
        answer.status === 200 && sameIds(listIn(answer.json) ?? [], items),
        "with 'root' what the root folder's id gives",
        answer,
      )
    },
  },
  {
    id: 'C4.19',
    says: 'folderId: an unknown or foreign folder gives 404 in the same words.',
    async check(service) {
      const words = (await service.get(`/folders/${NOTHING}`)).bytes.toString()
      const expectWords = async (folderId: string) => {
        const answer = await service.get(`/documents?folderId=${encodeURIComponent(folderId)}`)
        expectStatus(answer, 404)
        expect(answer.bytes.toString() === words, `the words of the folder endpoint: ${words}`, answer)
      }
      await expectWords(NOTHING)
      await expectWords('\0')
      await expectWords((await service.foreign()).folder)
    },
  },
  {
    id: 'C4.20',
    says: `At most ${MAX_RESULTS} documents are returned.`,
    async check(service) {
      await needMany(service)
      const { items } = await search(service)
      expect(items.length <= MAX_RESULTS, `${MAX_RESULTS} documents at most`, `${items.length} documents`)
    },
  },
  {
    id: 'C4.21',
    says: 'There is no paging.',
    async check(service) {
      await needMany(service)
      const { items } = await search(service)
      for (const query of ['page=2', 'offset=50', 'skip=50', 'limit=1', 'per_page=1', 'pageSize=1']) {
        const answer = await service.get(`/documents?${query}`)
        const paged = listIn(answer.json) ?? []
        expect(
          sameIds(paged, items),
          `with ${query} what a search without it returns`,
          `${paged.length} documents`,
        )
      }
    },
  },
  {
    id: 'C4.22',
    says: 'Each item states in folder where the document is kept, and in isRoot whether that is the unfiled placeholder.',
    sameAs: ['C2.15', 'C2.16'],
  },
]

/** Expects every document whose name contains `q`, and none that cannot contain it whatever "case" means. */
async function expectFound(service: Service, documents: readonly ListedDocument[], q: string): Promise<void> {
  const contains = ({ name }: { name: string }) => name.toLowerCase().includes(q.toLowerCase())
  const matching = documents.filter(contains)
  if (matching.length > MAX_RESULTS) return
  const { items } = await search(service, { q })
  const found = new Set(items.map(({ id }) => id))
  const missing = matching.find(({ id }) => !found.has(id))
  if (missing) throw new Broken(`"${missing.name}" among what "${q}" finds`, `${items.length} others`)
  const wrong = items.find(({ name }) => isText(name) && isAscii(name) && !contains({ name }))
  if (wrong) throw new Broken(`only names that contain "${q}"`, `"${wrong.name}"`)
}

/** Words and their ends inside names, those with the highest score first. Those that score 0 are left out. */
function findQueries(
  documents: readonly ListedDocument[],
  score: (starting: ListedDocument[], others: ListedDocument[]) => number,
): string[] {
  const ascii = documents.filter(({ name }) => isAscii(name))
  const words = ascii.flatMap(({ name }) => name.toLowerCase().match(/[a-z]{3,}/g) ?? [])
  const candidates = new Set(words.flatMap((word) => [word, word.slice(1)]))
  return [...candidates]
    .map((q) => {
      const matching = documents.filter(({ name }) => name.toLowerCase().includes(q))
      const starting = matching.filter(({ name }) => name.toLowerCase().startsWith(q))
      const others = matching.filter((one) => !starting.includes(one))
      return { q, points: matching.length > MAX_RESULTS ? 0 : score(starting, others) }
    })
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ q }) => q)
}

async function needMany(service: Service): Promise<void> {
  if ((await service.documents()).length <= MAX_RESULTS)
    throw new NotChecked('a team with more than 50 documents')
}

/** Tells whether no number is smaller than the one behind it. */
const isSorted = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => index === 0 || number <= numbers[index - 1]!)

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const toMembers = ({ id }: ListedDocument): Members => ({ id })
