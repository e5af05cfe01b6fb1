import { isDeepStrictEqual } from 'node:util'
import type { Document, DocumentSummary, Folder, FolderReference, SearchResult, Team } from '@meadow/contract'
import type { Read } from './contender.ts'

/**
 * The content of the response to a read in the terms of Meadow's contract, so that responses of different servers can
 * be compared. Lists are ordered by id: the order is not compared, since few peers can sort numbers inside names by
 * value.
 */
export type Facts =
  | { team: Team }
  | {
      folder: Pick<Folder, 'id' | 'name'>
      folders: FolderReference[]
      documents: DocumentSummary[]
    }
  | {
      document: Pick<Document, 'id' | 'name' | 'createdAt' | 'updatedAt'>
      content: Pick<Document, 'nodes' | 'groups' | 'configuration'>
    }
  | { found: (DocumentSummary & { folder: FolderReference })[] }

/** Reads the facts of a response in the form of Meadow's API. */
export function readMeadowFacts({ kind }: Read, body: string): Facts {
  const response = JSON.parse(body)
  switch (kind) {
    case 'team':
      return { team: response.team }
    case 'folder':
      return folderFacts(response.folder)
    case 'document':
      return documentFacts(response.document)
    case 'search':
      return searchFacts((response as SearchResult).documents)
  }
}

export const folderFacts = (folder: Pick<Folder, 'id' | 'name' | 'folders' | 'documents'>): Facts => ({
  folder: { id: folder.id, name: folder.name },
  folders: orderById(folder.folders.map(({ id, name }) => ({ id, name }))),
  documents: orderById(folder.documents.map(summaryFacts)),
})

export const documentFacts = (
  document: Pick<Document, 'id' | 'name' | 'createdAt' | 'updatedAt' | 'nodes' | 'groups' | 'configuration'>,
): Facts => {
  const { id, name, createdAt, updatedAt, nodes, groups, configuration } = document
  return {
    document: { id, name, createdAt: toTime(createdAt), updatedAt: toTime(updatedAt) },
    content: { nodes, groups, configuration },
  }
}

export const searchFacts = (found: readonly (DocumentSummary & { folder: FolderReference })[]): Facts => ({
  found: orderById(
    found.map((document) => ({
      ...summaryFacts(document),
      folder: { id: document.folder.id, name: document.folder.name },
    })),
  ),
})

const summaryFacts = ({ id, name, visibility, createdAt, updatedAt }: DocumentSummary): DocumentSummary => ({
  id,
  name,
  visibility,
  createdAt: toTime(createdAt),
  updatedAt: toTime(updatedAt),
})

/** Normalizes a time, which PostgreSQL writes in another way. */
const toTime = <Time extends string>(time: Time) => new Date(time).toISOString() as Time

const orderById = <Item extends { id: string }>(items: Item[]): Item[] =>
  items.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Describes the first difference between two facts in a sentence; undefined when they are equal. */
export function describeDifference(
  own: unknown,
  expected: unknown,
  path = 'the response',
): string | undefined {
  if (isDeepStrictEqual(own, expected)) return undefined
  if (Array.isArray(own) && Array.isArray(expected) && own.length !== expected.length)
    return `${path} has ${own.length} entries instead of ${expected.length}`
  if (isObject(own) && isObject(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(own)])) {
      const difference = describeDifference(own[key], expected[key], `${path}.${key}`)
      if (difference) return difference
    }
  }
  return `${path} is ${shorten(own)} instead of ${shorten(expected)}`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const shorten = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, 60)
