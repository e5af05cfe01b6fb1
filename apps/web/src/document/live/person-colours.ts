/**
 * Colours of people: white text on them has a contrast of at least 4.5 to 1, and they have one of at least 3 to 1 to the
 * canvas, light and dark (WCAG 2.2, 1.4.3 and 1.4.11). All are equally light.
 */
export const PERSON_COLOURS = [
  '#c7414c',
  '#b75502',
  '#906b03',
  '#5d7b05',
  '#038254',
  '#097e7e',
  '#0579a8',
  '#416bd5',
  '#8759ca',
  '#b54696',
] as const

/**
 * Gives each person, by their user id, a colour that follows from the id, so that it is mostly the same on all screens.
 * People who would have the same one get different ones while there are enough; nobody's changes later.
 */
export function createPersonColours(): (userId: string) => string {
  const given = new Map<string, string>()
  return (userId) => {
    const known = given.get(userId)
    if (known) return known
    const first = hash(userId) % PERSON_COLOURS.length
    const taken = new Set(given.values())
    const inOrder = [...PERSON_COLOURS.slice(first), ...PERSON_COLOURS.slice(0, first)]
    const colour = inOrder.find((candidate) => !taken.has(candidate)) ?? inOrder[0]!
    given.set(userId, colour)
    return colour
  }
}

/** Returns the 32-bit FNV-1a hash of a text. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0
  return value
}
