import type { MeadowServer } from '../harness/meadow.ts'
import { readProcessFigures } from '../harness/process-figures.ts'

/** A server's resident memory, in bytes, and the time of its start. Undefined where the system does not report it. */
export interface ServerMemory {
  documents: number
  startMs: number
  afterStart: number | undefined
  afterLoad: number | undefined
  peak: number | undefined
}

/** Reads the memory now, and returns the function that reads it again after the load. */
export function watchServer(documents: number, { pid, startMs }: MeadowServer): () => ServerMemory {
  const afterStart = readProcessFigures(pid).residentBytes
  return () => {
    const { residentBytes, peakResidentBytes } = readProcessFigures(pid)
    return { documents, startMs, afterStart, afterLoad: residentBytes, peak: peakResidentBytes }
  }
}
