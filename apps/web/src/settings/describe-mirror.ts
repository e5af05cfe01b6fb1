import {
  findMirrorState,
  type Mirror,
  type MirrorCounts,
  type MirrorOutcome,
  type MirrorRun,
} from '@meadow/contract/web'
import { count } from '../shell/count.ts'

/** The state of a mirror in a few words. */
export interface MirrorDescription {
  label: string
  color: string
  /** Whether the mirror needs somebody's attention. */
  isTrouble: boolean
  /** The state in a sentence. */
  sentence: string
}

/** Describes the state of a mirror. `now` is in milliseconds since 1970. */
export function describeMirror(mirror: Mirror, now: number): MirrorDescription {
  const { lastRun } = mirror
  const state = findMirrorState(mirror, now)
  switch (state) {
    case 'new':
      return {
        label: 'Not run yet',
        color: 'gray',
        isTrouble: false,
        sentence: 'The operator has not run it yet.',
      }
    case 'running':
      return {
        label: 'Running',
        color: 'blue',
        isTrouble: false,
        sentence: 'It is being read at the moment.',
      }
    case 'fine':
      return {
        label: 'Up to date',
        color: 'meadow',
        isTrouble: false,
        sentence: 'The last run read everything.',
      }
    case 'partial':
      return {
        label: 'Incomplete',
        color: 'orange',
        isTrouble: true,
        sentence: lastRun?.reason ?? describePartial(lastRun),
      }
    case 'failed':
      return {
        label: 'Failed',
        color: 'red',
        isTrouble: true,
        sentence: lastRun?.reason ?? 'The last run failed.',
      }
    case 'stopped':
      return {
        label: 'Stopped',
        color: 'orange',
        isTrouble: true,
        sentence: lastRun?.reason ?? 'The last run was stopped.',
      }
    case 'late':
      return {
        label: 'Not run lately',
        color: 'orange',
        isTrouble: true,
        sentence: 'It has not been read completely for more than a day.',
      }
  }
}

function describePartial(run: MirrorRun | null): string {
  const { failed = 0, conflict = 0 } = run?.counts ?? {}
  const parts = [
    failed > 0 && `${count(failed, 'file')} could not be imported`,
    conflict > 0 && `${count(conflict, 'file')} not updated, since people edited the documents`,
  ].filter((part) => part !== false)
  return `${parts.join('; ')}.`
}

/** What became of a file, in lists. */
export const OUTCOMES: Record<MirrorOutcome, { label: string; color: string }> = {
  created: { label: 'new', color: 'meadow' },
  updated: { label: 'updated', color: 'meadow' },
  moved: { label: 'moved', color: 'blue' },
  restored: { label: 'restored', color: 'blue' },
  binned: { label: 'put into the bin', color: 'gray' },
  gone: { label: 'gone from the disk', color: 'gray' },
  left_in_bin: { label: 'left in the bin', color: 'gray' },
  conflict: { label: 'edited here', color: 'orange' },
  failed: { label: 'failed', color: 'red' },
  skipped: { label: 'left out', color: 'gray' },
}

/** The numbers of a run, such as "3 new, 1 moved"; what is as it was is left out. */
export function describeCounts(counts: MirrorCounts): string {
  const parts = Object.entries(OUTCOMES).flatMap(([outcome, { label }]) => {
    const count = counts[outcome as MirrorOutcome]
    return count > 0 ? [`${count.toLocaleString()} ${label}`] : []
  })
  return parts.length > 0 ? parts.join(', ') : `Nothing changed in ${count(counts.unchanged, 'file')}`
}

/** How long a run took. */
export function describeLength({ startedAt, endedAt }: MirrorRun): string {
  if (endedAt === null) return ''
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}
