import { isDeepStrictEqual } from 'node:util'
import { writeInflatedArchive } from '../archive/forms/write-binary.ts'
import { pack } from '../archive/packing.ts'
import type { Archive, Chunk, Item } from '../archive/tree/archive.ts'
import { countElements, findCounted } from '../archive/tree/counts.ts'
import { findItem } from '../archive/tree/find.ts'
import { DEFAULT_LIMITS } from '../archive/tree/limits.ts'
import { formatLiteral, isByteType } from '../text/literal.ts'
import { createNestedArchives } from '../text/nested.ts'
import { describeObject, findInstanceId, findPortName, isObjectList, keyObjects } from '../text/objects.ts'
import { MAX_TEXT_DEPTH } from '../text/write-tree.ts'
import { isSameButPlace, toMovable, toPlaced } from './layout.ts'
import { unifyRewritten } from './same-bytes.ts'
import { isSameList, mergeOrder, mergeSets } from './sequences.ts'
import { chooseAnyway } from './session-facts.ts'
import { mergeText } from './texts.ts'
import { removeLostWires } from './wires.ts'

export type Side = 'ours' | 'theirs'

/** A fact that both sides changed in different ways. */
export interface MergeConflict {
  /** The location of the fact: `Number Slider "Width" (5c1f…), Container/Slider/Value`. */
  where: string
  /** A sentence that says what each side did. */
  what: string
}

export interface MergedArchive {
  archive: Archive
  /** The conflicts, if any. Where there is a conflict, the archive has the preferred side. */
  conflicts: MergeConflict[]
}

/** Lists of references, to which each side can add and from which each can remove. */
const REFERENCES = new Set(['Source', 'ID', 'Target', 'gene'])

/**
 * Merges what two sides made of one archive, fact by fact: objects by their ids, ports by theirs, wires and members of
 * groups as sets. Moves never are in the way of other changes. A wire whose sender the other side removed is a conflict.
 */
export function mergeArchives(
  base: Archive,
  ours: Archive,
  theirs: Archive,
  preferred: Side = 'ours',
): MergedArchive {
  const conflicts: MergeConflict[] = []
  const path: string[] = []
  const nested = createNestedArchives(DEFAULT_LIMITS, MAX_TEXT_DEPTH)
  const root = mergeRoots(base.root, ours.root, theirs.root)
  return { archive: { root }, conflicts }

  function report(what: string): void {
    conflicts.push({ where: path.join('/').replace(/^([^/]*\(.*?\))\//, '$1, '), what })
  }

  function mergeRoots(before: Chunk, first: Chunk, second: Chunk): Chunk {
    if (isDeepStrictEqual(before, second)) return first
    if (isDeepStrictEqual(before, first)) return second
    const [b, o, t] = unifyRewritten(before, first, second)
    const { root, lost } = removeLostWires(mergeChunk(b, o, t), o, t)
    conflicts.push(...lost)
    return root
  }

  function mergeChunk(b: Chunk | undefined, o: Chunk, t: Chunk): Chunk {
    if (isDeepStrictEqual(o, t) || (b && isDeepStrictEqual(b, t))) return o
    if (b && isDeepStrictEqual(b, o)) return t
    const before = b ?? { ...o, items: [], chunks: [] }
    const merged = { ...o, items: mergeItems(before, o, t), chunks: mergeChildren(before, o, t) }
    recount(merged, o, t)
    return merged
  }

  function mergeItems(b: Chunk, o: Chunk, t: Chunk): Item[] {
    const [base, first, second] = [b, o, t].map(groupItems) as Three<Map<string, Item[]>>
    const kept = new Map<string, Item[]>()
    for (const key of new Set([...first.keys(), ...second.keys()])) {
      const [inBase = [], inOurs = [], inTheirs = []] = [base.get(key), first.get(key), second.get(key)]
      const shown = (inOurs[0] ?? inTheirs[0])!
      if (shown.index >= 0) {
        kept.set(key, mergeList(shown.name, inBase, inOurs, inTheirs))
      } else {
        const item = mergeItem(inBase[0], inOurs[0], inTheirs[0], o, t)
        if (item) kept.set(key, [item])
      }
    }
    const order = mergeOrder([...first.keys()], [...second.keys()], new Set(kept.keys()))
    return order.flatMap((key) => kept.get(key)!)
  }

  /** Merges an item that is not part of a list; undefined if it is to be removed. */
  function mergeItem(
    b: Item | undefined,
    o: Item | undefined,
    t: Item | undefined,
    ourChunk: Chunk,
    theirChunk: Chunk,
  ): Item | undefined {
    if (isDeepStrictEqual(o, t) || isDeepStrictEqual(b, t)) return o
    if (isDeepStrictEqual(b, o)) return t
    if (o && t) {
      const merged = mergeNested(b, o, t) ?? mergeLines(b, o, t, ourChunk)
      if (merged) return merged
      const chosen = chooseAnyway(ourChunk, o, t)
      if (chosen) return chosen
      // Counts are computed again after merging.
      if (isCount(ourChunk, o) && isCount(theirChunk, t)) return o
    }
    const name = (o ?? t)!.name
    within(name, () => report(describeChange(b, o, t)))
    return preferred === 'ours' ? o : t
  }

  /** Merges a script, or the text of a panel, that both sides changed. */
  function mergeLines(b: Item | undefined, o: Item, t: Item, chunk: Chunk): Item | undefined {
    const merged = mergeText(chunk, { base: b, ours: o, theirs: t }, preferred)
    within(o.name, () => merged?.conflicts.forEach(report))
    return merged?.item
  }

  /** Merges the content of a cluster that both sides changed. */
  function mergeNested(b: Item | undefined, o: Item, t: Item): Item | undefined {
    if (b?.type !== 'bytearray' || o.type !== 'bytearray' || t.type !== 'bytearray') return undefined
    const found = [b, o, t].map((item) => nested.find(item, 0))
    const [before, first, second] = found.map((one) => one?.archive.root)
    if (!before || !first || !second) return undefined
    const root = within(o.name, () => mergeRoots(before, first, second))
    const value = new Uint8Array(pack(writeInflatedArchive({ root }), found[1]!.packing))
    return { ...o, value }
  }

  /** Merges the items `Source #0`, `Source #1` … as a whole. */
  function mergeList(name: string, b: Item[], o: Item[], t: Item[]): Item[] {
    const [base, first, second] = [b, o, t].map((items) => items.map(keyOfValue)) as Three<string[]>
    if (isSameList(first, second) || isSameList(base, second)) return o
    if (isSameList(base, first)) return t
    if (REFERENCES.has(name) && [b, o, t].every((items) => hasUniqueIds(items))) {
      const byValue = new Map([...t, ...o].map((item) => [keyOfValue(item), item]))
      return mergeSets(base, first, second).map((key, index) => ({ ...byValue.get(key)!, index }))
    }
    if (b.length === o.length && b.length === t.length) {
      const none: Chunk = { name: '', index: -1, items: [], chunks: [] }
      return o.map((item, at) => within(`${name} #${at}`, () => mergeItem(b[at], item, t[at], none, none)!))
    }
    within(name, () => report('both sides changed the list, each in its own way'))
    return preferred === 'ours' ? o : t
  }

  function mergeChildren(b: Chunk, o: Chunk, t: Chunk): Chunk[] {
    if ([b, o, t].every(isObjectList)) return mergeObjects(b.chunks, o.chunks, t.chunks)
    const keys = chooseKeys(b, o, t)
    const [base, first, second] = [b, o, t].map((chunk) => keyChunks(chunk, keys)) as Three<
      Map<string, Chunk>
    >
    const taken = findTaken(base, first, second, keys)
    const kept = new Map<string, Chunk>()
    for (const key of new Set([...first.keys(), ...second.keys()])) {
      const [inBase, inOurs, inTheirs] = [base.get(key), first.get(key), second.get(key)]
      const shown = (inOurs ?? inTheirs)!
      const isPort = shown.index >= 0 && keys.get(shown.name) === 'id'
      const chunk =
        shown.index >= 0 && taken.has(shown.name)
          ? { ours: inOurs, theirs: inTheirs }[preferred]
          : within(labelOf(shown), () => mergeChild(inBase, inOurs, inTheirs, isPort))
      if (chunk) kept.set(key, chunk)
    }
    const order = mergeOrder([...first.keys()], [...second.keys()], new Set(kept.keys()))
    return renumber(
      order.map((key) => kept.get(key)!),
      o,
      t,
    )
  }

  /** Finds the lists that both sides changed in ways that do not fit together, of which one side is taken. */
  function findTaken(
    base: Map<string, Chunk>,
    first: Map<string, Chunk>,
    second: Map<string, Chunk>,
    keys: ReadonlyMap<string, ListKey>,
  ): Set<string> {
    const taken = new Set<string>()
    const lists = [base, first, second].map((chunks) => groupLists(chunks, ([, chunk]) => chunk))
    for (const [name, kind] of keys) {
      const [b, o, t] = lists.map((list) => list.get(name) ?? []) as Three<[string, Chunk][]>
      const [inBase, inOurs, inTheirs] = [b, o, t].map((entries) => entries.map(([key]) => key)) as Three<
        string[]
      >
      if (kind === 'library' || isSameList(inOurs, inTheirs)) continue
      const isOursAlone = isSameList(inBase, inTheirs)
      const isTheirsAlone = isSameList(inBase, inOurs)
      if (kind === 'id' && (isOursAlone || isTheirsAlone)) continue
      // If chunks are identified by position and one side changed some, the other may only add or remove at the end.
      const [longer, other] = isOursAlone ? [o, t] : [t, o]
      const isAtEnd = isSameStart(b, longer) || isDeepStrictEqual(b, other)
      if (kind === 'position' && (isOursAlone || isTheirsAlone) && isAtEnd) continue
      taken.add(name)
      const what =
        kind === 'id'
          ? 'both sides added, removed or moved ports'
          : 'both sides changed the list, each in its own way'
      within(name, () => report(what))
    }
    return taken
  }

  /** Merges a chunk. A port that one side removed stays removed, since other facts of its component agree with that. */
  function mergeChild(
    b: Chunk | undefined,
    o: Chunk | undefined,
    t: Chunk | undefined,
    isPort = false,
  ): Chunk | undefined {
    if (o && t) return mergeChunk(b, o, t)
    const remaining = (o ?? t)!
    if (!b) return remaining
    if (isSameButPlace(b, remaining)) return undefined
    const [changed, removed] = o ? ['we', 'they'] : ['they', 'we']
    report(`${changed} changed it, ${removed} removed it`)
    return !isPort && preferred === (o ? 'ours' : 'theirs') ? remaining : undefined
  }

  function mergeObjects(b: readonly Chunk[], o: readonly Chunk[], t: readonly Chunk[]): Chunk[] {
    const [base, first, second] = [b, o, t].map((objects) => {
      const keys = keyObjects(objects)
      return new Map(objects.map((object, at) => [keys[at]!, { ...toMovable(object), index: -1 }]))
    }) as Three<Map<string, Chunk>>
    const kept = new Map<string, Chunk>()
    for (const key of new Set([...first.keys(), ...second.keys()])) {
      const [inOurs, inTheirs] = [first.get(key), second.get(key)]
      const shown = (inOurs ?? inTheirs)!
      const object = within(`${describeObject(shown)} (${findInstanceId(shown) ?? key})`, () =>
        mergeChild(base.get(key), inOurs, inTheirs),
      )
      if (object) kept.set(key, toPlaced(object))
    }
    const order = mergeOrder([...first.keys()], [...second.keys()], new Set(kept.keys()))
    return order.map((key, index) => ({ ...kept.get(key)!, index }))
  }

  function within<T>(step: string, run: () => T): T {
    // Paths start at the object: what is around it is the same for all.
    const outer = path.splice(0)
    path.push(...(/\(.*\)$/.test(step) ? outer.filter((one) => /\(.*\)$/.test(one)) : outer), step)
    try {
      return run()
    } finally {
      path.splice(0, path.length, ...outer)
    }
  }
}

type Three<T> = [T, T, T]

/** How the chunks of a list are identified: by the id that each has, or by their position. */
type ListKey = 'id' | 'library' | 'position'

/** Groups items by name: those of a list together, others one by one, a name that repeats with its number. */
function groupItems({ items }: Chunk): Map<string, Item[]> {
  const number = createNumbering()
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = item.index >= 0 ? `[] ${item.name}` : number(`${item.index} ${item.name}`)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** Returns a function that makes repeated keys different. */
function createNumbering(): (key: string) => string {
  const met = new Map<string, number>()
  return (key) => {
    const count = met.get(key) ?? 0
    met.set(key, count + 1)
    return `${count} ${key}`
  }
}

const keyOfValue = (item: Item): string =>
  isByteType(item.type) ? Buffer.from(item.value as Uint8Array).toString('base64') : formatLiteral(item)

const hasUniqueIds = (items: readonly Item[]): boolean =>
  items.every(({ type }) => type === 'guid') && new Set(items.map(keyOfValue)).size === items.length

/** The chunks that are members of lists, by the name of the list. */
function groupLists<T>(entries: Iterable<T>, chunkOf: (entry: T) => Chunk): Map<string, T[]> {
  const lists = new Map<string, T[]>()
  for (const entry of entries) {
    const { name, index } = chunkOf(entry)
    const list = lists.get(name)
    if (index < 0) continue
    if (list) list.push(entry)
    else lists.set(name, [entry])
  }
  return lists
}

/** Chooses how the chunks of each list are identified on all three sides. */
function chooseKeys(...sides: Chunk[]): Map<string, ListKey> {
  const lists = sides.map(({ chunks }) => groupLists(chunks, (chunk) => chunk))
  const names = new Set(lists.flatMap((list) => [...list.keys()]))
  return new Map(
    [...names].map((name) => {
      const hasIds = lists.every((list) => {
        const ids = (list.get(name) ?? []).map(findOwnId)
        return !ids.includes(undefined) && new Set(ids).size === ids.length
      })
      return [name, hasIds ? (name === 'Library' ? 'library' : 'id') : 'position']
    }),
  )
}

const findOwnId = (chunk: Chunk): string | undefined =>
  findItem(chunk, 'InstanceGuid', 'guid') ?? findItem(chunk, 'Id', 'guid')

function keyChunks({ chunks }: Chunk, keys: ReadonlyMap<string, ListKey>): Map<string, Chunk> {
  const number = createNumbering()
  return new Map(
    chunks.map((chunk) => {
      const isById = chunk.index >= 0 && keys.get(chunk.name) !== 'position'
      return [number(`${isById ? findOwnId(chunk) : chunk.index} ${chunk.name}`), chunk]
    }),
  )
}

const isSameStart = (base: [string, Chunk][], changed: [string, Chunk][]): boolean =>
  isDeepStrictEqual(base.slice(0, changed.length), changed.slice(0, base.length))

const labelOf = (chunk: Chunk): string =>
  `${chunk.name}${chunk.index >= 0 ? ` #${chunk.index}` : ''}${findPortName(chunk) === undefined ? '' : ` "${findPortName(chunk)}"`}`

/** Gives the chunks of lists the numbers 0, 1, 2 … again, where both sides have them so. */
function renumber(merged: Chunk[], ...sides: Chunk[]): Chunk[] {
  const others = new Set(sides.flatMap(listUnnumbered))
  const next = new Map<string, number>()
  return merged.map((chunk) => {
    if (chunk.index < 0 || others.has(chunk.name)) return chunk
    const index = next.get(chunk.name) ?? 0
    next.set(chunk.name, index + 1)
    return index === chunk.index ? chunk : { ...chunk, index }
  })
}

/** The names of lists whose members are not numbered 0, 1, 2 … */
const listUnnumbered = ({ chunks }: Chunk): string[] =>
  [...groupLists(chunks, (chunk) => chunk)]
    .filter(([, list]) => list.some(({ index }, at) => index !== at))
    .map(([name]) => name)

function isCount(chunk: Chunk, item: Item): boolean {
  const counted = findCounted(chunk, item)
  return counted !== undefined && item.value === countElements(chunk, counted)
}

/** Counts again what both sides had counted. */
function recount(merged: Chunk, ...sides: Chunk[]): void {
  merged.items = merged.items.map((item) => {
    const counted = findCounted(merged, item)
    const isCounted = (side: Chunk) => side.items.every((it) => it.name !== item.name || isCount(side, it))
    if (item.type !== 'int32' || counted === undefined || !sides.every(isCounted)) return item
    return { ...item, value: countElements(merged, counted) }
  })
}

function describeChange(b: Item | undefined, o: Item | undefined, t: Item | undefined): string {
  const [base, ours, theirs] = [b, o, t].map(describeValue)
  return `it was ${base}, we made it ${ours}, they made it ${theirs}`
}

const MOST_VALUE = 80

function describeValue(item: Item | undefined): string {
  if (!item) return 'absent'
  if (isByteType(item.type)) return `${(item.value as Uint8Array).byteLength} bytes`
  const literal = formatLiteral(item)
  return literal.length > MOST_VALUE ? `${literal.slice(0, MOST_VALUE)}…` : literal
}
