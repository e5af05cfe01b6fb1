import type { DataTree, DataValue } from '@meadow/client'
import { countOf, countValues, showNumber, showValue } from './show-value.ts'

/** The number of values in a line: few enough that the number at its beginning helps to find one of them. */
const VALUES_PER_LINE = 20
const MAX_TEXT = 1_000

/**
 * Lists the values of a tree as lines: the branch, the position of the first value of the line if the branch has
 * several lines, and the values. Neighbouring branches with a single value each are one line: `{0;3..22}`.
 */
export function* listBranches(tree: DataTree, maxValues: number): Generator<string> {
  let left = maxValues
  for (const { label, values } of joinSingles(tree.branches)) {
    if (values.length === 0) yield `${label} empty`
    for (let start = 0; start < values.length && left > 0; start += VALUES_PER_LINE) {
      const part = values.slice(start, start + Math.min(VALUES_PER_LINE, left))
      left -= part.length
      const position = values.length > VALUES_PER_LINE ? ` [${start}]` : ''
      yield `${label}${position} ${part.map((item) => showValue(item, MAX_TEXT)).join(', ')}`
    }
    if (left <= 0) break
  }
  const count = countValues(tree)
  if (count > maxValues) yield `… ${count - maxValues} more values: ask for this node alone`
}

interface LabelledValues {
  label: string
  values: (DataValue | null)[]
}

interface Run {
  /** The path up to its last number. */
  start: string
  last: number
  values: (DataValue | null)[]
}

function* joinSingles(branches: DataTree['branches']): Generator<LabelledValues> {
  let run: Run | undefined
  for (const { path, values } of branches) {
    const single = values.length === 1 ? toRun(path, values) : undefined
    if (run && single && goesOn(run, single)) {
      run = { ...single, values: [...run.values, ...values] }
      continue
    }
    if (run) yield labelRun(run)
    run = single
    if (!single) yield { label: path, values }
  }
  if (run) yield labelRun(run)
}

function toRun(path: string, values: (DataValue | null)[]): Run | undefined {
  const [, start, last] = /^(\{.*?)(\d+)\}$/.exec(path) ?? []
  return start === undefined ? undefined : { start, last: Number(last), values }
}

const goesOn = (run: Run, next: Run): boolean =>
  run.start === next.start && run.last + 1 === next.last && run.values.length < VALUES_PER_LINE

function labelRun({ start, last, values }: Run): LabelledValues {
  const first = last - values.length + 1
  return { label: `${start}${first === last ? last : `${first}..${last}`}}`, values }
}

/**
 * Describes a tree in a line: the number of its values by type, the number of branches, and the range of the values or
 * the first one.
 */
export function describeTree(tree: DataTree): string {
  const { counts, first, least, most } = surveyTree(tree)
  const total = countValues(tree)
  if (total === 0) return 'empty'
  if (total === 1) return showValue(first!, 80)
  const types = [...counts].map(([type, count]) => countOf(count, type)).join(' + ')
  const branches = tree.branches.length > 1 ? ` in ${tree.branches.length} branches` : ''
  const isNumeric = [...counts.keys()].every((type) => type === 'number' || type === 'integer')
  const range = isNumeric ? `${showNumber(least)} to ${showNumber(most)}` : `first ${showValue(first!, 40)}`
  return `${types}${branches}, ${range}`
}

/** Collects everything that a line contains in one walk: a tree can have a million values. */
function surveyTree({ branches }: DataTree) {
  const counts = new Map<string, number>()
  let first: DataValue | null | undefined
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const { values } of branches)
    for (const item of values) {
      first ??= item
      const type = item?.type ?? 'null'
      counts.set(type, (counts.get(type) ?? 0) + 1)
      if (item?.type !== 'number' && item?.type !== 'integer') continue
      least = Math.min(least, Number(item.value))
      most = Math.max(most, Number(item.value))
    }
  return { counts, first: first ?? null, least, most }
}
