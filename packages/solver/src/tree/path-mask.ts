import type { Path } from '@meadow/document'

/** Tells which branches, and which items in them, a mask selects. */
export interface PathMask {
  matchesPath(path: Path): boolean
  matchesIndex(index: number): boolean
}

type Test = (number: number) => boolean
type Part = Test | 'any'

const MAX_LENGTH = 1000

/**
 * Reads a mask: `{0;*}`, `{?;!3}`, `{*;(0,2,...)}[1 to 4]`. In a path, `*` is any run of numbers, `?` any one number;
 * a rule for one number is a number, a group `(2,6,7)`, a range `(2 to 20)`, a sequence `(0,2,...)` or
 * `(0,2,...,48)`, each with `!` for all others. Brackets hold such a rule for the index of items.
 * Undefined for a text that is none. Source: the selection rules that Split Tree shows in its help.
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
  return findRange(inside) ?? findSequence(inside)
}

function findRange(text: string): Test | undefined {
  const [from, to] = /^\s*(-?\d+)\s+to\s+(-?\d+)\s*$/i.exec(text)?.slice(1).map(Number) ?? []
  return from === undefined || to === undefined ? undefined : (number) => number >= from && number <= to
}

/** Numbers one by one, or with dots as many as follow in the step of the two before the dots. */
function findSequence(text: string): Test | undefined {
  const parts = text.split(',').map((part) => part.trim())
  const dots = parts.indexOf('...')
  const numbers = parts
    .filter((_, i) => i !== dots)
    .map((part) => (/^-?\d+$/.test(part) ? Number(part) : undefined))
  if (numbers.includes(undefined)) return undefined
  const listed = new Set(numbers)
  if (dots < 0) return (number) => listed.has(number)
  const [before, last, end = Infinity] = numbers.slice(Math.max(0, dots - 2), dots + 1)
  if (dots < 2 || before === undefined || last === undefined || last <= before) return undefined
  return (number) =>
    listed.has(number) || (number > last && number <= end && (number - last) % (last - before) === 0)
}

/** Goes through parts and numbers together; `reach` holds how many parts each number so far can have used up. */
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

/** `*` also stands for no number at all. */
function skipAny(reach: Set<number>, parts: readonly Part[]): Set<number> {
  for (const index of reach) if (parts[index] === 'any') reach.add(index + 1)
  return reach
}
