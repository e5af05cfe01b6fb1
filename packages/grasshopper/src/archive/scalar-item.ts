import type { ItemCodec } from './item-codec.ts'
import { parseScalar, type Scalar } from './scalar.ts'

/** A type whose value is one scalar, in XML the text of the item. */
export function scalarItem<V>(code: number, scalar: Scalar<V>, keepsSpace = false): ItemCodec<V> {
  return {
    code,
    tags: [],
    accepts: scalar.accepts,
    read: scalar.read,
    write: scalar.write,
    parse: ({ text }) => parseScalar(scalar, keepsSpace ? text : text.trim()),
    format: (value, style) => ({ text: scalar.format(value, style), fields: [] }),
  }
}
