import Type, { type Static } from 'typebox'

const Days = Type.Union([Type.Integer({ minimum: 0, maximum: 36_500 }), Type.Null()])

/**
 * The ages up to which versions are kept. Named and pinned versions are kept until someone deletes them, and the newest
 * version of a document is always kept.
 */
export const VersionPolicy = Type.Object({
  /** The age in days up to which all versions are kept; null: for ever. */
  allDays: Days,
  /** The age in days up to which the last version of each day is kept after that; null: for ever. */
  dailyDays: Days,
  /** The age in days up to which the last version of each week is kept after that; null: for ever. */
  weeklyDays: Days,
})
export type VersionPolicy = Static<typeof VersionPolicy>
