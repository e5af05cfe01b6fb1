import type { ByteRange } from '../platform/blobs/blobs.ts'

/** One range: from a byte on, up to one, or so many at the end. */
const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

/**
 * What a `Range` header asks for of a file of `size` bytes; undefined for the whole of it. Several ranges at once, and
 * what is none, are answered with the whole, as RFC 9110 14.2 allows: nothing is passed off as what was asked for.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start > end ? 'unsatisfiable' : { start, end }
}
