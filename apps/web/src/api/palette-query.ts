import type { Node } from '@meadow/contract'
import {
  listPlaceableItems,
  type PaletteEntry,
  type PlaceableItem,
  readFileContents,
  readPalette,
} from '@meadow/contract/web'
import { findCanvasObject, findComponent, findParameterType, type LibraryPort } from '@meadow/document'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isTransient, queryOf } from './queries.ts'

export interface PalettePort
  extends Pick<LibraryPort, 'name' | 'nickName' | 'access' | 'isOptional' | 'defaults'> {
  type: string
  /** Whether users can add more ports like this one. */
  isRepeated: boolean
  /** The description of the port, which is empty for a few ports. */
  description: string
}

/** A kind of node that can be inserted, with its names, tab and ports. */
export interface PaletteKind extends Omit<PaletteEntry, 'inputs' | 'outputs'> {
  name: string
  /** The short name, or the full name where the library has no short one. */
  nickName: string
  category: string
  subcategory: string
  /** Whether the kind is a parameter, which is one port itself and lists no ports. */
  isParameter: boolean
  inputs: readonly PalettePort[]
  outputs: readonly PalettePort[]
  /**
   * The library item of the team that this kind stands for. It is inserted by the id of its file, which is the
   * `templateId`.
   */
  item?: PlaceableItem
}

const itemsOf = (teamId: string, q: string) => ({
  ...queryOf(listPlaceableItems, { params: [teamId], query: q === '' ? {} : { q } }),
  staleTime: 30_000,
})

interface TeamItems {
  /** The library items, sorted by name. */
  kinds: readonly PaletteKind[]
  /** Whether the team has more items, which another text may find. */
  isTruncated: boolean
}

const NO_ITEMS: TeamItems = { kinds: [], isTruncated: false }

/**
 * Returns the library items of a team, which the caller searches and ranks. If the team has more items than one list
 * holds, the server looks for those whose file names match the text.
 */
export function useTeamItems(teamId: string | undefined, typed: string): TeamItems {
  const { data: all } = useQuery({ ...itemsOf(teamId ?? '', ''), enabled: teamId !== undefined })
  const asks = all?.truncated === true && typed !== ''
  const { data: found } = useQuery({
    ...itemsOf(teamId ?? '', typed),
    enabled: teamId !== undefined && asks,
    placeholderData: keepPreviousData,
  })
  const answer = asks ? (found ?? all) : all
  return useMemo(
    () => (answer ? { kinds: answer.items.map(toItemKind), isTruncated: answer.truncated } : NO_ITEMS),
    [answer],
  )
}

const toItemKind = (item: PlaceableItem): PaletteKind => ({
  ...{ templateId: item.fileId, name: item.name, nickName: item.nickName, unsolved: item.unsolved },
  ...{ description: item.description, category: item.category || LIBRARY, subcategory: familyOf(item) },
  ...{ isParameter: false, inputs: [], outputs: [], item },
})

/** The tab of all library items of a team. */
export const LIBRARY = 'Library'

const familyOf = ({ subcategory, kind }: PlaceableItem): string =>
  subcategory || (kind === 'cluster' ? 'Clusters' : 'User objects')

/** The ports of the node that a library item places, for its card. */
export function useItemPorts({ item }: PaletteKind): Pick<PaletteKind, 'inputs' | 'outputs'> | undefined {
  const { data } = useQuery({
    ...queryOf(readFileContents, { params: [item?.fileId ?? ''] }),
    enabled: item !== undefined,
    staleTime: 60_000,
  })
  return useMemo(() => {
    const node = data && Object.values(data.graph.nodes)[0]
    return node && { inputs: portsOf(node, 'inputs'), outputs: portsOf(node, 'outputs') }
  }, [data])
}

const portsOf = ({ ports, ...node }: Node, side: 'inputs' | 'outputs'): PalettePort[] =>
  Object.entries(node[side])
    .sort(([, a], [, b]) => a - b)
    .flatMap(([id]) => {
      const port = ports[id]
      if (!port) return []
      const { name, nickName, typeName: type, access, options = [] } = port
      const isOptional = options.includes('optional')
      const facts = { isOptional, isRepeated: false, defaults: [], description: '' }
      return [{ name, nickName, type, access, ...facts }]
    })

/**
 * The kinds of nodes that can be added. They do not change while the server runs. Adding nodes has to work without a
 * connection, so the request is repeated until it succeeds, and at once when the connection is back.
 */
export const paletteQuery = {
  ...queryOf(readPalette),
  select: ({ kinds }: { kinds: PaletteEntry[] }): { kinds: PaletteKind[] } => ({ kinds: listKinds(kinds) }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: (_count: number, error: Error) => isTransient(error),
  retryDelay: (count: number) => Math.min(30_000, 500 * 2 ** count),
}

const listed = new WeakMap<readonly PaletteEntry[], PaletteKind[]>()

/**
 * Returns the kinds of the component library, sorted by category, subcategory and name. All users of an answer share
 * one list.
 */
function listKinds(entries: readonly PaletteEntry[]): PaletteKind[] {
  const kinds = listed.get(entries) ?? entries.flatMap(toKind).sort(byTab)
  listed.set(entries, kinds)
  return kinds
}

function toKind({ inputs, outputs, ...entry }: PaletteEntry): PaletteKind[] {
  const guid = entry.templateId
  const [component, parameter] = [findComponent(guid), findParameterType(guid)]
  const known = component ?? parameter ?? findCanvasObject(guid)
  // A server that was updated since this page was loaded may know more kinds.
  if (!known) return []
  const { name, nickName, category, subcategory } = known
  return [
    {
      ...entry,
      name,
      nickName: nickName || name,
      category,
      subcategory,
      isParameter: parameter !== undefined,
      inputs: component?.inputs.map((port, at) => toPort(port, inputs[at])) ?? [],
      outputs: component?.outputs.map((port, at) => toPort(port, outputs[at])) ?? [],
    },
  ]
}

const byTab = (a: PaletteKind, b: PaletteKind): number =>
  a.category.localeCompare(b.category, 'en') ||
  a.subcategory.localeCompare(b.subcategory, 'en') ||
  a.name.localeCompare(b.name, 'en')

const toPort = (
  { name, nickName, typeName, access, isOptional, isRepeated = false, defaults }: LibraryPort,
  description = '',
): PalettePort => ({ name, nickName, type: typeName, access, isOptional, isRepeated, defaults, description })
