import type { DataValue } from '@meadow/document'
import type { Chunk } from '../../archive/archive.ts'
import { findText } from '../text.ts'
import { describeValue } from './describe-value.ts'
import { findReferenceId, readGeometry } from './read-geometry.ts'
import type { ValueContext } from './value-context.ts'
import { VALUE_READERS } from './value-readers.ts'

/**
 * Reads one typed-in value: the names of its items tell the kind.
 * Null for an absent value; `unknown` with a description for what has no counterpart.
 * `typeName` is the port's type, which tells the kind of geometry that stands in a Rhino model.
 */
export function readValue(
  chunk: Chunk,
  typeName: string | undefined,
  context: ValueContext,
): DataValue | null {
  if (chunk.items.length === 0 && chunk.chunks.length === 0) return null
  const plain = isOfPlugin(chunk) ? undefined : VALUE_READERS.get(listNames(chunk))?.(chunk)
  if (plain === undefined) {
    const geometry = readGeometry(chunk, typeName, context)
    return geometry === undefined
      ? { type: 'unknown', value: { description: describeValue(chunk) } }
      : geometry
  }
  const referenceId = findReferenceId(chunk)
  return plain && referenceId ? { ...plain, referenceId } : plain
}

/** Where any type may stand, the item names its class. */
function isOfPlugin(chunk: Chunk): boolean {
  const typeName = findText(chunk, 'TypeName')
  return typeName !== undefined && !typeName.startsWith('Grasshopper.Kernel.Types.')
}

function listNames({ items }: Chunk): string {
  const names = items.map(({ name }) => name).filter((name) => name !== 'TypeName' && name !== 'RefID')
  return names.sort().join(',')
}
