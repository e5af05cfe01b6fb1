import type { Range } from '@meadow/document'
import type { Chunk } from '../../archive/archive.ts'
import { findItem } from '../../archive/find.ts'
import { toFinite } from '../finite.ts'

/** An interval item; 0 to 1 where there is none. */
export function readInterval(chunk: Chunk, name: string): Range {
  const interval = findItem(chunk, name, 'interval1d')
  return { start: toFinite(interval?.a), end: toFinite(interval?.b, 1) }
}

/** Two number items; 0 to 1 where there are none. */
export function readBounds(chunk: Chunk | undefined, start: string, end: string): Range {
  return {
    start: toFinite(chunk && findItem(chunk, start, 'double')),
    end: toFinite(chunk && findItem(chunk, end, 'double'), 1),
  }
}
