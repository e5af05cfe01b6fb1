import { checkpoint } from '@meadow/geometry/budget/budget'

/** A test for one character, or `*` for any number of them. */
type Part = '*' | ((character: string) => boolean)

/**
 * Whether a text matches a pattern of Visual Basic's `Like`: `?` is one character, `*` any number, `#` a digit,
 * `[a-f]` one of some characters and `[!a-f]` one of the others. Undefined for a pattern with an open bracket.
 * Takes at most the product of both lengths.
 * Source: Microsoft, Visual Basic language reference, `Like` operator.
 */
export function matchesPattern(text: string, pattern: string): boolean | undefined {
  const parts = readParts(pattern)
  if (!parts) return undefined
  let [index, part] = [0, 0]
  // The last `*` and the characters that it matches so far: on a mismatch, matching resumes there.
  let [star, reached] = [-1, 0]
  while (index < text.length) {
    checkpoint()
    const next = parts[part]
    if (next === '*') {
      star = part++
      reached = index
    } else if (next?.(text[index] as string)) {
      index++
      part++
    } else if (star >= 0) {
      part = star + 1
      index = ++reached
    } else return false
  }
  while (parts[part] === '*') part++
  return part === parts.length
}

function readParts(pattern: string): Part[] | undefined {
  const parts: Part[] = []
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i] as string
    if (character === '*') parts.push('*')
    else if (character === '?') parts.push(() => true)
    else if (character === '#') parts.push((other) => other >= '0' && other <= '9')
    else if (character === '[') {
      const end = pattern.indexOf(']', i + 1)
      if (end < 0) return undefined
      // An empty group matches nothing and is skipped.
      if (end > i + 1) parts.push(readGroup(pattern.slice(i + 1, end)))
      i = end
    } else parts.push((other) => other === character)
  }
  return parts
}

function readGroup(group: string): Part {
  const isNegated = group.length > 1 && group.startsWith('!')
  const ranges = [...(isNegated ? group.slice(1) : group).matchAll(/([\s\S])-([\s\S])|[\s\S]/g)].map(
    ([whole, from = whole, to = whole]) => [from, to] as const,
  )
  return (character) => {
    checkpoint(ranges.length)
    return ranges.some(([from, to]) => character >= from && character <= to) !== isNegated
  }
}
