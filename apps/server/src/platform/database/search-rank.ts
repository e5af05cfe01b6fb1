import { PUBLIC_ID_ORDER_BITS, publicIdOrder } from '../public-ids.ts'

const TIES = 1n << BigInt(PUBLIC_ID_ORDER_BITS)

/** The largest integer of SQLite. */
export const HIGHEST_RANK = 2n ** 63n - 1n

/**
 * Where a document stands among all: the newer the higher; of one and the same millisecond, the smaller its id
 * the higher, as far as the first letters of the id tell.
 */
export function rankOf(updatedAt: number | bigint, publicId: string): bigint {
  return BigInt(updatedAt) * TIES + (TIES - 1n - BigInt(publicIdOrder(publicId)))
}
