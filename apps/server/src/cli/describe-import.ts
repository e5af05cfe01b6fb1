import type { ImportResult, ImportSummary, NoteCount } from '../features/import/import-result.ts'
import { formatCount } from './format-count.ts'
import { printable } from './printable.ts'

/** What the operator should hear of a file, if anything. */
export function describeTrouble(result: ImportResult): string | undefined {
  const path = printable(result.path)
  switch (result.outcome) {
    case 'failed':
      return `${path} was not imported: ${printable(result.reason)}.`
    case 'skipped':
      return `${path} was left out: ${result.reason}.`
    case 'gone':
      return `${path} is no longer in the folder. Its document (${result.documentId}) stays.`
  }
  return undefined
}

const NOTES: Record<NoteCount['kind'], string> = {
  dropped_wire: 'Wires from something that the file does not hold, left out',
  unreadable_geometry: 'Typed-in geometries that could not be read',
  geometry_left_out: 'Typed-in geometries beyond the limit of a document, left out',
  repaired: 'Faults of a definition, repaired',
}

/** What an import did, on a few lines. */
export function describeSummary(summary: ImportSummary): string {
  const { created, updated, unchanged, failed } = summary
  const files = created + updated + unchanged + failed
  const outcomes = Object.entries({ new: created, updated, unchanged, failed })
  const lines = [
    `Definitions: ${formatCount(files)} in ${(summary.durationMs / 1000).toFixed(1)} s, of them ` +
      `${outcomes.map(([outcome, count]) => `${formatCount(count)} ${outcome}`).join(', ')}.`,
    ...countLine('New folders', summary.foldersCreated),
    ...countLine('Documents whose file is no longer in the folder', summary.gone),
    ...countLine('Links to folders, left out', summary.skipped),
    ...countLine('Other files, left out', summary.ignored),
    ...summary.notes.flatMap(({ kind, count, files: inFiles }) =>
      countLine(NOTES[kind], count, ` in ${formatCount(inFiles)} definitions`),
    ),
  ]
  if (summary.interrupted) lines.push('Stopped before the end: run the same command again to go on.')
  return lines.join('\n')
}

const countLine = (what: string, count: number, where = ''): string[] =>
  count === 0 ? [] : [`${what}: ${formatCount(count)}${where}.`]
