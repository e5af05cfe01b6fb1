import { unifyLineEnds } from '@meadow/document'
import { diff3Merge } from 'node-diff3'
import type { Chunk, Item } from '../archive/tree/archive.ts'
import { decodeScript, encodeScript, findLineEnds, type LineEnds } from '../text/blocks.ts'
import type { Side } from './merge-archives.ts'

/** Lines that both sides changed, each in its own way. */
interface LineConflict {
  /** The line in the text that both began with, counted from 0. */
  line: number
  base: string[]
  ours: string[]
  theirs: string[]
}

/** The texts of people: scripts of all generations, and panels. Other texts may be data, which lines of two sides break. */
const TEXTS = new Set(['CodeInput', 'ScriptSource', 'AdditionalSource', 'UserText'])

/**
 * Texts with more lines, or in which more pairs of lines are equal, are not merged: half a second is spent at most. A usual
 * script of 500 lines has about ten thousand pairs.
 */
const MAX_LINES = 5000
const MAX_PAIRS = 100_000

/**
 * Merges a script or the text of a panel line by line; undefined if the item is something else, or has one line only. Where
 * both sides changed the same lines, the item has those of the preferred side.
 */
export function mergeText(
  { name }: Pick<Chunk, 'name'>,
  sides: { base: Item | undefined; ours: Item; theirs: Item },
  preferred: Side,
): { item: Item; conflicts: string[] } | undefined {
  const { base, ours: item, theirs: other } = sides
  if (base?.type !== 'string' || item.type !== 'string' || other.type !== 'string') return undefined
  const isScript = name === 'Script' && item.name === 'Text'
  if (!isScript && !TEXTS.has(item.name)) return undefined
  const [before, ours, theirs] = [base, item, other].map(({ value }) =>
    isScript ? decodeScript(value) : value,
  )
  if (before === undefined || ours === undefined || theirs === undefined) return undefined
  const ends = findLineEnds(ours)
  const lines = [before, ours, theirs].map((text) => withEnds(text, ends).split('\n'))
  if (lines.every(({ length }) => length === 1)) return undefined
  const [inBase, inOurs, inTheirs] = lines as [string[], string[], string[]]
  if (takesTooLong(inBase, inOurs) || takesTooLong(inBase, inTheirs)) return undefined
  const merged: string[] = []
  const conflicts: string[] = []
  for (const { ok, conflict } of diff3Merge(inOurs, inBase, inTheirs)) {
    if (ok) merged.push(...ok)
    if (!conflict) continue
    const { a, b, o, oIndex } = conflict
    merged.push(...(preferred === 'ours' ? a : b))
    conflicts.push(describe({ line: oIndex, base: o, ours: a, theirs: b }))
  }
  const text = merged.join('\n')
  return { item: { ...item, value: isScript ? encodeScript(text) : text }, conflicts }
}

function takesTooLong(before: readonly string[], after: readonly string[]): boolean {
  if (Math.max(before.length, after.length) > MAX_LINES) return true
  const counts = new Map<string, number>()
  for (const line of before) counts.set(line, (counts.get(line) ?? 0) + 1)
  return after.reduce((pairs, line) => pairs + (counts.get(line) ?? 0), 0) > MAX_PAIRS
}

/** The text with these line ends, where it has mostly others. */
function withEnds(text: string, ends: LineEnds): string {
  if (!text.includes('\n') || findLineEnds(text) === ends) return text
  const unified = unifyLineEnds(text)
  return ends === 'lf' ? unified : unified.replaceAll('\n', '\r\n')
}

function describe({ line, base, ours, theirs }: LineConflict): string {
  const [first, last] = [line + 1, line + base.length]
  const where =
    base.length === 0
      ? `both sides added lines after line ${line}`
      : `both sides changed ${base.length === 1 ? `line ${first}` : `lines ${first} to ${last}`}`
  return `${where}: we have ${show(ours)}, they have ${show(theirs)}`
}

const MOST_SHOWN = 80

function show(lines: readonly string[]): string {
  if (lines.length === 0) return 'none'
  const text = lines.map((line) => line.trim()).join(' ⏎ ')
  return `"${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}"`
}
