/**
 * How much of a file is read. 1 is what Meadow read before migration 15, 2 lacks the ports that a file leaves out,
 * and 3 is everything. Documents that an earlier version imported are compared with its reading when they are written
 * over their file.
 */
export type Reading = 1 | 2 | 3

export const LATEST_READING: Reading = 3
