import type { Path } from '@meadow/document'

/** Selects branches, and items in them. */
export interface PathMask {
  matchesPath(path: Path): boolean
  matchesIndex(index: number): boolean
}

type Test = (number: number) => boolean
type Part = Test | 'any'

const MAX_LENGTH = 1000

/**
 * Parses a mask: `{0;*}`, `{?;!3}`, `{*;(0,2,...)}[1 to 4]`. In a path, `*` matches any number of indices, `?`
 * any single index; a rule for one index is a number, a comparison `<=4`, a group `(2,6,7)`, a range `(2 to 20)`,
 * or a sequence `(0,2,...)` or `(0,2,...,48)`, each negated by `!`. Brackets contain such a rule for the index of
 * items. Undefined for invalid masks. Source: the selection rules in the help of Split Tree; the comparisons are
 * recorded results of Path Compare.
 */
export function findPathMask(text: string): PathMask | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const groups = /^\s*\{(?<path>[^{}]*)\}\s*(?:\[(?<index>[^[\]]*)\])?\s*$/.exec(text)?.groups
  if (!groups) return undefined
  const parts = readParts(groups.path ?? '')
  const index = groups.index === undefined ? () => true : findTest(groups.index)
  if (!parts || !index) return undefined
  return { matchesPath: (path) => matches(parts, path), matchesIndex: index }
}

function readParts(text: string): Part[] | undefined {
  if (text.trim() === '') return []
  const parts = text
    .split(';')
    .map((part): Part | undefined => (part.trim() === '*' ? 'any' : findTest(part)))
  return parts.includes(undefined) ? undefined : (parts as Part[])
}

function findTest(text: string): Test | undefined {
  const rule = text.trim()
  if (rule.startsWith('!')) {
    const test = findTest(rule.slice(1))
    return test && ((number) => !test(number))
  }
  if (rule === '?' || rule === '*') return () => true
  const inside = /^\((.*)\)$/.exec(rule)?.[1] ?? rule
  return findComparison(rule) ?? findRange(inside) ?? findSequence(inside)
}

function findComparison(text: string): Test | undefined {
  const groups = /^(?<sign>[<>]=?)\s*(?<limit>\d+)$/.exec(text)?.groups
  if (!groups) return undefined
  const limit = Number(groups.limit)
  if (groups.sign === '<') return (number) => number < limit
  if (groups.sign === '>') return (number) => number > limit
  return groups.sign === '<=' ? (number) => number <= limit : (number) => number >= limit
}

function findRange(text: string): Test | undefined {
  const [from, to] = /^\s*(\d+)\s+to\s+(\d+)\s*$/i.exec(text)?.slice(1).map(Number) ?? []
  return from === undefined || to === undefined ? undefined : (number) => number >= from && number <= to
}

/** Listed numbers, or a sequence that continues with the step of the two numbers before the dots. */
function findSequence(text: string): Test | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const dots = parts.indexOf('...')
  const numbers = parts
    .filter((_, i) => i !== dots)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : undefined))
  if (numbers.includes(undefined)) return undefined
  const listed = new Set(numbers)
  if (dots < 0) return (number) => listed.has(number)
  const [before, last, end = Infinity] = numbers.slice(Math.max(0, dots - 2), dots + 1)
  if (dots < 2 || before === undefined || last === undefined || last <= before) return undefined
  return (number) =>
    listed.has(number) || (number > last && number <= end && (number - last) % (last - before) === 0)
}

/**
 * Matches the parts of a mask with the indices of a path; `reach` holds the possible numbers of matched parts.
 */
function matches(parts: readonly Part[], path: Path): boolean {
  let reach = skipAny(new Set([0]), parts)
  for (const number of path) {
    const next = new Set<number>()
    for (const index of reach) {
      const part = parts[index]
      if (part === 'any') next.add(index)
      else if (part?.(number)) next.add(index + 1)
    }
    reach = skipAny(next, parts)
  }
  return reach.has(parts.length)
}

/** `*` also matches no index. */
function skipAny(reach: Set<number>, parts: readonly Part[]): Set<number> {
  for (const index of reach) if (parts[index] === 'any') reach.add(index + 1)
  return reach
}
