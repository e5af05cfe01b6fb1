import { unifyLineEnds } from '@meadow/document'
import { structuredPatch } from 'diff'
import type { LineHunk } from './change.ts'

/** Texts that differ in more lines than this are one hunk: finding the fewest changes would take too long. */
const MAX_EDITS = 2000

/** Lines that are shown around a change. */
const CONTEXT = 3

/** The hunks of a unified diff of two texts, whatever their line ends. */
export function listHunks(before: string, after: string): LineHunk[] {
  const [older, newer] = [unifyLineEnds(before), unifyLineEnds(after)]
  const patch = structuredPatch('', '', older, newer, '', '', { context: CONTEXT, maxEditLength: MAX_EDITS })
  if (patch) {
    return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
      ...{ oldStart, oldLines, newStart, newLines },
      lines: [...lines],
    }))
  }
  const [removed, added] = [older.split('\n'), newer.split('\n')]
  return [
    {
      ...{ oldStart: 1, oldLines: removed.length, newStart: 1, newLines: added.length },
      lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
    },
  ]
}
