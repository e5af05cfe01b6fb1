import * as encoding from 'lib0/encoding'
import type { DecodedUpdate, Id, Struct } from '../check/decode-update.ts'

/** Encodes an update as Yjs does, valid or not. */
export function encodeUpdate({ structs, deletions }: DecodedUpdate): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, structs.size)
  for (const [client, list] of structs) {
    encoding.writeVarUint(encoder, list.length)
    encoding.writeVarUint(encoder, client)
    encoding.writeVarUint(encoder, list[0]!.clock)
    for (const struct of list) writeStruct(encoder, struct)
  }
  encoding.writeVarUint(encoder, deletions.length)
  for (const { client, clock, length } of deletions) {
    for (const number of [client, 1, clock, length]) encoding.writeVarUint(encoder, number)
  }
  return encoding.toUint8Array(encoder)
}

function writeStruct(encoder: encoding.Encoder, struct: Struct): void {
  const { content, length, origin, key } = struct
  const kind = content === undefined ? 0 : content === 'deleted' ? 1 : content === 'record' ? 7 : 8
  encoding.writeUint8(encoder, kind && kind | (origin ? 0x80 : 0) | (key === undefined ? 0 : 0x20))
  if (kind > 0) writeLocation(encoder, struct)
  encoding.writeVarUint(encoder, kind === 7 ? 1 : length)
  if (kind === 8) for (const text of content as readonly string[]) encoding.writeAny(encoder, text)
}

function writeLocation(encoder: encoding.Encoder, { origin, parent, key }: Struct): void {
  if (origin) {
    writeId(encoder, origin)
    return
  }
  encoding.writeVarUint(encoder, 'root' in parent! ? 1 : 0)
  if ('root' in parent!) encoding.writeVarString(encoder, parent.root)
  else writeId(encoder, parent!)
  if (key !== undefined) encoding.writeVarString(encoder, key)
}

function writeId(encoder: encoding.Encoder, { client, clock }: Id): void {
  encoding.writeVarUint(encoder, client)
  encoding.writeVarUint(encoder, clock)
}
