import { type Inflated, inflateRaw } from '@meadow/inflate'
import { GrasshopperError } from '../grasshopper-error.ts'
import { startsWithRootName } from './root-names.ts'

/** Inflates the whole of a binary archive. Fails: `GrasshopperError`, with what the first bytes tell about the file. */
export function inflate(packed: Uint8Array, maxBytes: number): Uint8Array {
  return checkInflated(inflateRaw(packed, maxBytes), packed, maxBytes)
}

/** The bytes of a binary archive, all of which were inflated. Fails: as `inflate`. */
export function checkInflated(inflated: Inflated, packed: Uint8Array, maxBytes: number): Uint8Array {
  if (!startsAsArchive(inflated))
    throw new GrasshopperError('not_an_archive', 'The file is not a Grasshopper archive', '')
  checkEnd(inflated, maxBytes)
  const rest = packed.length - inflated.packedBytes
  if (rest > 0) throw new GrasshopperError('malformed', `${rest} bytes follow the end of the archive`, '')
  return inflated.bytes
}

/** The length of a root's name, and the name. */
const SHORTEST_START = 5

/** Of a file that is cut short within its first bytes, nobody can tell. One that breaks off there is something else. */
const startsAsArchive = ({ end, bytes }: Inflated): boolean =>
  (end === 'truncated' || bytes.length >= SHORTEST_START) && startsWithRootName(bytes)

function checkEnd({ end }: Inflated, maxBytes: number): void {
  if (end === 'too_large')
    throw new GrasshopperError('too_large', `The archive inflates to more than ${maxBytes} bytes`, '')
  if (end === 'truncated') throw new GrasshopperError('truncated', 'The file ends too early', '')
  if (end === 'damaged')
    throw new GrasshopperError('malformed', 'The file is damaged: it cannot be inflated', '')
}
