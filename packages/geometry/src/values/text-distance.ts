import { checkpoint } from '../budget/budget.ts'

/** The Levenshtein distance of two texts, row by row of the table of distances of their beginnings. */
export function getTextDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    checkpoint(b.length)
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (above[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    above = row
  }
  return above.at(-1) as number
}
