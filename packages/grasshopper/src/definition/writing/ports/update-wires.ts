import type { PortReference } from '@meadow/document'
import type { Chunk } from '../../../archive/archive.ts'
import { setItem, setItems } from '../../../archive/edit.ts'
import { sameWires } from '../../compare/differences.ts'

/** Writes the wires into a port where they differ. Wires from nowhere, which the document does not show, go with them. */
export function updateWires(
  chunk: Chunk,
  before: readonly PortReference[] | undefined,
  after: readonly PortReference[] = [],
): void {
  if (sameWires(before, after)) return
  setItems(
    chunk,
    'guid',
    'Source',
    after.map(({ portInstanceId }) => portInstanceId),
  )
  setItem(chunk, 'int32', 'SourceCount', after.length)
}
