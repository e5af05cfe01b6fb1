/** Gives each name a number if it is taken, compared without regard to case, as Rhino compares names. */
export function createUniqueNames(): (name: string) => string {
  const taken = new Set<string>()
  const nextNumbers = new Map<string, number>()
  return (name) => {
    const key = name.toLowerCase()
    let unique = name
    let number = nextNumbers.get(key) ?? 2
    while (taken.has(unique.toLowerCase())) unique = `${name} ${number++}`
    nextNumbers.set(key, number)
    taken.add(unique.toLowerCase())
    return unique
  }
}
