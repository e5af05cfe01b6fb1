import { checkpoint, reserveText } from '../budget/budget.ts'

/** Joins texts with a separator. Reserves the memory of the result first. */
export function joinTexts(texts: readonly string[], separator = ''): string {
  checkpoint(texts.length)
  const own = texts.reduce((sum, { length }) => sum + length, 0)
  reserveText(own + separator.length * Math.max(0, texts.length - 1))
  return texts.join(separator)
}

/** Replaces all occurrences of `part`, which must not be empty. Reserves the memory of the result first. */
export function replaceAll(text: string, part: string, replacement: string): string {
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    checkpoint()
    count++
  }
  reserveText(text.length + count * (replacement.length - part.length))
  return text.replaceAll(part, () => replacement)
}
