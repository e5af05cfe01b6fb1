import type { FolderReference } from '@meadow/contract'
import type { AppFolder, ListedDocument, ListedFile } from '@meadow/contract/web'
import type { FolderItem } from '../items/folder-changes.ts'

/** An item as a line or card of a list. */
export type ListItem = FolderItem & {
  isFavourite: boolean
  /** The folder of the item, in lists of several folders. */
  folder?: FolderReference | undefined
  /** When the user opened the item, in the list of recents. */
  openedAt?: string
} & (
    | { kind: 'folder'; count: number | undefined }
    | { kind: 'document'; document: ListedDocument }
    | { kind: 'file'; file: ListedFile }
  )

/** The folders, documents and files of a list. */
export type Listing = {
  folders: readonly (Pick<AppFolder['folders'][number], 'id' | 'name'> &
    Partial<AppFolder['folders'][number]> & { folder?: FolderReference })[]
  documents: readonly (ListedDocument & { openedAt?: string })[]
  files: readonly ListedFile[]
}

/** Returns the items of a list: folders, then documents, then files. */
export const toListItems = ({ folders, documents, files }: Listing): ListItem[] => [
  ...folders.map(({ id, name, isFavourite = true, folder, folders, documents = 0, files = 0 }) => ({
    ...{ kind: 'folder' as const, id, name, isFavourite, folder },
    count: folders === undefined ? undefined : folders + documents + files,
  })),
  ...documents.map((document) => {
    const { id, name, isFavourite, folder, openedAt } = document
    return {
      ...{ kind: 'document' as const, id, name, isFavourite, folder, document },
      ...(openedAt !== undefined && { openedAt }),
    }
  }),
  ...files.map((file) => {
    const { id, name, isFavourite, folder } = file
    return { kind: 'file' as const, id, name, isFavourite, folder, file }
  }),
]

export const SORT_KEYS = ['name', 'state', 'changed', 'created', 'size'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export interface Sort {
  key: SortKey
  isDescending: boolean
}

/** The order of a list that is not sorted, and has what was opened last first. */
export const BY_OPENED = { key: 'opened', isDescending: true } as const
/** The order in which a list is shown. */
export type ShownSort = Sort | typeof BY_OPENED

export const SORT_LABELS: Record<ShownSort['key'], string> = {
  name: 'Name',
  state: 'State',
  changed: 'Changed',
  created: 'Created',
  size: 'Size',
  opened: 'Opened',
}

/** The order of states: what needs somebody's attention comes first. */
const STATE_RANKS = { failed: 0, queued: 2, running: 2, never: 3 }

function rankState(item: ListItem): number {
  if (item.kind !== 'document') return 5
  const { solve, completeness } = item.document
  if (solve !== 'solved') return STATE_RANKS[solve]
  if (!completeness) return 4
  const { valuesComplete = completeness.isComplete, failed } = completeness
  return valuesComplete && failed === 0 ? 4 : 1
}

const factsOf = (item: ListItem) =>
  item.kind === 'document' ? item.document : item.kind === 'file' ? item.file : undefined

export type TimeKey = 'changed' | 'created' | 'opened'

/** Returns which time a list shows: the one by which it is sorted, otherwise that of the last change. */
export const findTimeKey = ({ key }: ShownSort): TimeKey =>
  key === 'opened' || key === 'created' ? key : 'changed'

/** Returns a time of an item; undefined for a folder, and for an item that was not opened. */
export function timeOf(item: ListItem, key: TimeKey): string | undefined {
  if (key === 'opened') return item.openedAt
  const facts = factsOf(item)
  return key === 'created' ? facts?.createdAt : facts?.updatedAt
}

const WEIGHTS: Record<Exclude<SortKey, 'name'>, (item: ListItem) => number> = {
  state: rankState,
  changed: (item) => Date.parse(timeOf(item, 'changed') ?? ''),
  created: (item) => Date.parse(timeOf(item, 'created') ?? ''),
  size: (item) => factsOf(item)?.sizeBytes ?? 0,
}

/**
 * Sorts a list that is in the order of names, in which equal ones stay. Folders, which have neither times nor a state, come
 * first in any order.
 */
export function sortItems(items: readonly ListItem[], { key, isDescending }: Sort): ListItem[] {
  const folders = items.filter(({ kind }) => kind === 'folder')
  const others = items.filter(({ kind }) => kind !== 'folder')
  if (key === 'name') return isDescending ? [...folders.reverse(), ...others.reverse()] : [...items]
  const weighed = others.map((item) => ({ item, weight: WEIGHTS[key](item) }))
  const sign = isDescending ? -1 : 1
  weighed.sort((a, b) => sign * (a.weight - b.weight))
  return [...folders, ...weighed.map(({ item }) => item)]
}

/** The items with all words of a text in their names. */
export function filterByName(items: readonly ListItem[], text: string): readonly ListItem[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  return items.filter(({ name }) => {
    const folded = fold(name)
    return words.every((word) => folded.includes(word))
  })
}

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()

/** The page of an item. */
export const addressOf = ({ kind, id }: Pick<ListItem, 'kind' | 'id'>, teamId: string): string =>
  kind === 'folder'
    ? `/teams/${teamId}/folders/${id}`
    : kind === 'document'
      ? `/documents/${id}`
      : `/files/${id}`
