/** How many lines a diff of two texts removes and adds, at least. Source: Myers, An O(ND) Difference Algorithm, 1986. */
export function countChangedLines(before: string, after: string): { removed: number; added: number } {
  const a = before.split('\n')
  const b = after.split('\n')
  const reach = new Map<number, number>([[1, 0]])
  for (let edits = 0; ; edits++) {
    for (let k = -edits; k <= edits; k += 2) {
      const isDown = k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1))
      let x = isDown ? reach.get(k + 1)! : reach.get(k - 1)! + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      reach.set(k, x)
      if (x >= a.length && x - k >= b.length) {
        const removed = (edits + a.length - b.length) / 2
        return { removed, added: edits - removed }
      }
    }
  }
}
