import type { DocumentId, TeamFileId } from '@meadow/contract'
import { MIRROR_OUTCOMES, type MirrorCounts, type MirrorOutcome } from '@meadow/contract/web'

/** What became of a file, as a run records it. */
export interface RecordedChange {
  outcome: MirrorOutcome
  path: string
  /** Where the file was before it was moved. */
  from?: string
  id?: DocumentId | TeamFileId
  reason?: string
}

/** How many changes a run records that went well, and how many that did not. */
const MAX_CHANGES = 100

const TROUBLES: ReadonlySet<MirrorOutcome> = new Set(['failed', 'conflict', 'skipped'])

/** Collects what a run records, in constant memory: many files that were created do not hide those that failed. */
export function createChangeList(): { add(change: RecordedChange): void; list(): RecordedChange[] } {
  const troubles: RecordedChange[] = []
  const others: RecordedChange[] = []
  return {
    add(change) {
      const list = TROUBLES.has(change.outcome) ? troubles : others
      if (list.length < MAX_CHANGES) list.push(change)
    },
    list: () => [...troubles, ...others],
  }
}

/** How many files a run changed or reported. */
export const countChanges = (counts: MirrorCounts): number =>
  MIRROR_OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0)
