const MAX_BYTES = 1024
const LENGTH_BYTES = 2

/**
 * Where a solver is, in memory that its thread shares with the one that watches over it: it can be read even after
 * the thread was ended in the middle of its work.
 */
export interface SolvePlace {
  readonly memory: SharedArrayBuffer
  /** Text that is too long loses its end. */
  note(place: string): void
  /** The last note; empty before the first. Only to be trusted while the other thread does not write. */
  read(): string
}

export function createSolvePlace(memory = new SharedArrayBuffer(MAX_BYTES)): SolvePlace {
  const bytes = Buffer.from(memory)
  return {
    memory,
    note(place) {
      bytes.writeUInt16LE(bytes.write(place, LENGTH_BYTES))
    },
    read: () => bytes.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + bytes.readUInt16LE()),
  }
}
