import Type, { type Static } from 'typebox'

const Days = Type.Union([Type.Integer({ minimum: 0, maximum: 36_500 }), Type.Null()])

/**
 * For how long versions are kept. Those that are named or pinned are kept until someone deletes them, and the newest
 * version of a document always.
 */
export const VersionPolicy = Type.Object({
  /** All versions of the last so many days; null: all, for ever. */
  allDays: Days,
  /** After that the last one of each day, until a version is so many days old; null: for ever. */
  dailyDays: Days,
  /** After that the last one of each week, until a version is so many days old; null: for ever. */
  weeklyDays: Days,
})
export type VersionPolicy = Static<typeof VersionPolicy>
