import type { VersionPolicy } from '@meadow/contract/web'

/** What of a version the policy looks at. */
export interface DatedVersion {
  seq: number
  /** Milliseconds since 1970. */
  at: number
  /** Named or pinned. */
  isKept: boolean
}

const DAY_MS = 24 * 3600 * 1000
/** The first of January 1970 was a Thursday; weeks begin on Mondays. */
const WEEK_OFFSET_MS = 3 * DAY_MS

/**
 * The versions of a document that a policy keeps at a time (milliseconds since 1970): the newest, those that are named or
 * pinned, and as the policy says all, the last of each day and the last of each week, by UTC. What it keeps now it also kept
 * before, so a run that was left out changes nothing of a later one.
 */
export function selectVersionsToKeep<Version extends DatedVersion>(
  versions: readonly Version[],
  { allDays, dailyDays, weeklyDays }: VersionPolicy,
  now: number,
): Set<Version> {
  const ageOf = ({ at }: Version) => (now - at) / DAY_MS
  const newestFirst = versions.toSorted((a, b) => b.seq - a.seq)
  const kept = new Set<Version>(newestFirst.filter(({ isKept }, position) => isKept || position === 0))
  const keepWithin = (days: number | null, versions: Iterable<Version>) => {
    for (const version of versions) if (ageOf(version) < (days ?? Infinity)) kept.add(version)
  }
  keepWithin(allDays, newestFirst)
  keepWithin(
    dailyDays,
    listLast(newestFirst, ({ at }) => Math.floor(at / DAY_MS)),
  )
  keepWithin(
    weeklyDays,
    listLast(newestFirst, ({ at }) => Math.floor((at + WEEK_OFFSET_MS) / (7 * DAY_MS))),
  )
  return kept
}

/** Returns the newest version of each period. */
const listLast = <Version>(newestFirst: readonly Version[], periodOf: (version: Version) => number) =>
  Map.groupBy(newestFirst, periodOf)
    .values()
    .map(([last]) => last!)
