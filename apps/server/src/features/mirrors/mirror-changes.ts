import type { DocumentId, TeamFileId } from '@meadow/contract'
import type { MirrorCounts } from '@meadow/contract/web'
import { MIRROR_OUTCOMES, type MirrorOutcome } from '@meadow/contract/web/terms'

/** What became of a file, as a run records it. */
export interface RecordedChange {
  outcome: MirrorOutcome
  path: string
  /** The path of the file before it was moved. */
  from?: string
  id?: DocumentId | TeamFileId
  reason?: string
}

/** How many changes a run records that went well, and how many that did not. */
const MAX_CHANGES = 100

const TROUBLES: ReadonlySet<MirrorOutcome> = new Set(['failed', 'conflict'])

/** What a run records, in constant memory: many files that were created do not hide those that failed. */
export interface ChangeList {
  add(change: RecordedChange): void
  list(): RecordedChange[]
  counts(): Record<MirrorOutcome, number>
}

export function createChangeList(): ChangeList {
  const troubles: RecordedChange[] = []
  const others: RecordedChange[] = []
  const counts = Object.fromEntries(MIRROR_OUTCOMES.map((outcome) => [outcome, 0]))
  return {
    add(change) {
      counts[change.outcome]!++
      const list = TROUBLES.has(change.outcome) ? troubles : others
      if (list.length < MAX_CHANGES) list.push(change)
    },
    list: () => [...troubles, ...others],
    counts: () => ({ ...counts }) as Record<MirrorOutcome, number>,
  }
}

/** How many files a run changed or reported. */
export const countChanges = (counts: MirrorCounts): number =>
  MIRROR_OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0)
