import { readProcessFigures } from '../servers/process-figures.ts'
import type { MeadowServer } from '../servers/start-meadow.ts'

/** A server's resident memory, in bytes, and how long it took to start. Undefined where the system does not tell. */
export interface ServerMemory {
  documents: number
  startMs: number
  afterStart: number | undefined
  afterLoad: number | undefined
  peak: number | undefined
}

/** Notes the memory now, to be completed after the load. */
export function watchServer(documents: number, { pid, startMs }: MeadowServer): () => ServerMemory {
  const afterStart = readProcessFigures(pid).residentBytes
  return () => {
    const { residentBytes, peakResidentBytes } = readProcessFigures(pid)
    return { documents, startMs, afterStart, afterLoad: residentBytes, peak: peakResidentBytes }
  }
}
