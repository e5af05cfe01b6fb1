/** Disjoint sets (union-find); each is identified by its smallest member. */
export function createGroups(count: number) {
  const parents = Array.from({ length: count }, (_, i) => i)
  const find = (member: number): number => {
    let root = member
    while (parents[root] !== root) root = parents[root]!
    for (let i = member; i !== root; ) {
      const next = parents[i]!
      parents[i] = root
      i = next
    }
    return root
  }
  return {
    find,
    join(a: number, b: number): void {
      const [one, other] = [find(a), find(b)]
      parents[Math.max(one, other)] = Math.min(one, other)
    },
  }
}
