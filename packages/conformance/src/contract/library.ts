import {
  expect,
  isObject,
  isText,
  type Members,
  memberOf,
  NotChecked,
  need,
  type Sentence,
} from '../sentence.ts'
import type { Service } from '../service.ts'
import { sameIds, search } from './search-results.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Part 2 of the contract: team, folder and document summary. */
export const LIBRARY: readonly Sentence[] = [
  {
    id: 'C2.1',
    says: 'Timestamps are ISO 8601 strings in UTC with milliseconds.',
    async check(service) {
      for (const { createdAt, updatedAt } of await summaries(service))
        for (const time of [createdAt, updatedAt].filter((value) => value !== undefined))
          expect(isTimestamp(time), 'a time such as 2026-01-31T09:30:00.000Z', time)
    },
  },
  {
    id: 'C2.2',
    says: 'Team: name is a string.',
    async check(service) {
      const team = await readTeam(service)
      expect(typeof team.name === 'string', "a string as 'team.name'", team.name)
    },
  },
  {
    id: 'C2.3',
    says: "Team: rootFolderId is the id of the team's root folder.",
    async check(service) {
      const { rootFolderId: id } = await readTeam(service)
      expect(isText(id), "the id of a folder as 'team.rootFolderId'", id)
      const folder = await service.get(`/folders/${encodeURIComponent(id)}`)
      expect(folder.status === 200, "a folder with the id in 'team.rootFolderId'", folder)
    },
  },
  {
    id: 'C2.4',
    says: 'Folder: id is its id.',
    check: (service) =>
      eachFolder(service, ({ id, members }) => expect(members.id === id, `the id ${id}`, members.id)),
  },
  {
    id: 'C2.5',
    says: 'Folder: name is a string.',
    check: (service) =>
      eachFolder(service, ({ id, members }) =>
        expect(typeof members.name === 'string', `a string as 'name' of folder ${id}`, members.name),
      ),
  },
  {
    id: 'C2.6',
    says: 'Folder: parentId is a string, or null at the root.',
    check: (service) =>
      eachFolder(service, ({ id, members, above }) => {
        const parent = above.at(-1) ?? null
        expect(
          members.parentId === parent,
          `${JSON.stringify(parent)} as 'parentId' of folder ${id}`,
          members.parentId ?? null,
        )
      }),
  },
  {
    id: 'C2.7',
    says: 'Folder: path has the ancestors of this folder, root first, and is empty at the root.',
    check: (service) =>
      eachFolder(service, ({ id, members, above }) => {
        // What an ancestor is in this list, the contract does not say: its id alone, or an object with its id.
        const path = Array.isArray(members.path)
          ? members.path.map((one) => (isObject(one) ? one.id : one))
          : members.path
        expect(
          JSON.stringify(path) === JSON.stringify(above),
          `the ids ${JSON.stringify(above)} in 'path' of folder ${id}`,
          path,
        )
      }),
  },
  {
    id: 'C2.8',
    says: 'Folder: folders has { id, name } of the direct child folders only.',
    async check(service) {
      const all = await service.folders()
      for (const { id, folders } of all) {
        for (const child of folders) {
          const { id: childId, name } = child
          expect(
            isText(childId) && typeof name === 'string',
            `strings as 'id' and 'name' of the folders in ${id}`,
            child,
          )
          const read = all.find((folder) => folder.id === childId)?.members
          expect(
            read === undefined || (read.parentId === id && read.name === name),
            `that folder ${childId}, which ${id} lists, has this folder as its parent and the same name`,
            read && { name: read.name, parentId: read.parentId },
          )
        }
      }
    },
  },
  {
    id: 'C2.9',
    says: 'Folder: documents has the direct child documents only.',
    async check(service) {
      for (const { id, documents } of (await service.folders()).slice(0, 50)) {
        const { items } = await search(service, { folderId: id })
        // Documents below this folder may take the places of its own.
        if (items.length >= 50) continue
        const filed = items.filter(({ folder }) => isObject(folder) && folder.id === id)
        expect(
          sameIds(filed, documents),
          `in folder ${id} the documents that a search says are kept there`,
          documents.map((document) => document.id),
        )
      }
    },
  },
  ...(
    [
      ['C2.10', 'id', 'is a string', isText],
      ['C2.11', 'name', 'is a string', (value: unknown) => typeof value === 'string'],
      ['C2.12', 'visibility', 'is a string', isText],
      ['C2.13', 'createdAt', 'is a timestamp', isTime],
      ['C2.14', 'updatedAt', 'is a timestamp', isTime],
    ] as const
  ).map(
    ([id, name, says, isValid]): Sentence => ({
      id,
      says: `Document summary: ${name} ${says}.`,
      async check(service) {
        for (const summary of await summaries(service))
          expect(isValid(summary[name]), `that '${name}' of a document ${says}`, summary[name])
      },
    }),
  ),
  {
    id: 'C2.15',
    says: "Search: folder contains the folder's id, usable with the folder endpoint.",
    async check(service) {
      const known = new Set((await service.folders()).map(({ id }) => id))
      for (const { folder } of (await search(service)).items) {
        const id = isObject(folder) ? folder.id : undefined
        expect(isText(id), "an id in 'folder' of what a search finds", folder)
        if (known.has(id)) continue
        const answer = await service.get(`/folders/${encodeURIComponent(id)}`)
        expect(answer.status === 200, `a folder with the id ${id} that a search gave`, answer)
      }
    },
  },
  {
    id: 'C2.16',
    says: 'Search: isRoot marks the folder as the one a document sits in when it has not been filed anywhere.',
    async check(service) {
      const root = await service.root()
      const { items } = await search(service)
      for (const { folder, isRoot } of items) {
        need(isRoot, "items of a search with 'isRoot'")
        const expected = isObject(folder) && folder.id === root
        expect(
          isRoot === expected,
          `${expected} as 'isRoot' of a document in ${JSON.stringify(folder)}`,
          isRoot,
        )
      }
    },
  },
]

/** The team. Throws `NotChecked` without one, which the check of part 4 reports. */
async function readTeam(service: Service): Promise<Members> {
  const team = memberOf((await service.get('/team')).json, 'team')
  return need(isObject(team) ? team : undefined, 'a team that can be read')
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

export function isTimestamp(value: unknown): boolean {
  return isTime(value) && TIMESTAMP.test(value as string)
}

/** The summaries of documents in folders and in a search. */
async function summaries(service: Service): Promise<Members[]> {
  const inFolders = (await service.folders()).flatMap(({ documents }) => documents)
  const { items } = await search(service)
  if (inFolders.length + items.length === 0) throw new NotChecked('documents in the team')
  return [...inFolders, ...items]
}

async function eachFolder(
  service: Service,
  check: (folder: Awaited<ReturnType<Service['folders']>>[number]) => void,
): Promise<void> {
  for (const folder of await service.folders()) check(folder)
}
