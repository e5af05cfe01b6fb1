import type { Note } from '@meadow/grasshopper'

/** What the notes of a kind say, for people; how many there are comes behind. */
export const NOTE_WORDS: Record<Note['kind'], string> = {
  dropped_wire: 'Wires from something that the file does not hold, left out',
  unreadable_geometry: 'Typed-in geometries that could not be read',
  geometry_left_out: 'Typed-in geometries beyond the limit of a document, left out',
  repaired: 'Faults of a definition, repaired',
}

/** One sentence for each kind. */
export function describeNotes(notes: readonly Note[]): string[] {
  return [...Map.groupBy(notes, ({ kind }) => kind)].map(
    ([kind, ofKind]) => `${NOTE_WORDS[kind]}: ${ofKind.length}.`,
  )
}
