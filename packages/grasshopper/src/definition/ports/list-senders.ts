import type { Chunk } from '../../archive/archive.ts'
import { listItems } from '../../archive/find.ts'

/** The ids of what is wired into a port, in wire order. Wires are recorded at their receiving end only. */
export function listSenders(chunk: Chunk): string[] {
  return listItems(chunk, 'Source', 'guid')
}
