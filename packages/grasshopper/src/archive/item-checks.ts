import type { Item } from './archive.ts'
import { Fault } from './fault.ts'
import type { ItemCodec } from './item-codec.ts'
import { ITEM_CODECS } from './item-codecs.ts'
import { int32, string } from './scalars.ts'

/** Refuses to write a name or index that the format cannot hold, which would be read as something else. */
export function checkIdentity(element: { name: string; index: number }): void {
  if (!string.accepts(element.name)) throw new Fault('malformed', 'A name cannot be written as UTF-8')
  if (!int32.accepts(element.index)) throw new Fault('malformed', 'An index is not an int32')
}

/** The codec of an item whose value it can write. */
export function getCodec(item: Item): ItemCodec<Item['value']> {
  // Which type's codec it is depends on the item, which the compiler does not follow.
  const codec = ITEM_CODECS[item.type] as ItemCodec<Item['value']> | undefined
  if (codec === undefined) throw new Fault('malformed', `There is no item type ${item.type}`)
  if (!codec.accepts(item.value)) throw new Fault('malformed', `A ${item.type} cannot hold this value`)
  return codec
}
