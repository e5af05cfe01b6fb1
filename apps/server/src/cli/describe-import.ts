import { type ImportResult, type ImportSummary, NOTE_DESCRIPTIONS } from '../features/import/import-result.ts'
import { formatCount } from './format-count.ts'
import { printable } from './printable.ts'

/** What the operator should hear of a file, if anything. */
export function describeTrouble(result: ImportResult): string | undefined {
  const path = printable(result.path)
  switch (result.outcome) {
    case 'failed':
      return `${path} was not imported: ${printable(result.reason)}.`
    case 'conflict':
      return (
        `${path} was not imported: its document (${result.documentId}) was edited since. Run the import again with ` +
        '--on-conflict replace to replace what was edited, or with copy to have both.'
      )
    case 'created':
      return (
        result.besides &&
        `${path} has a document of its own now: the one before (${result.besides}) was edited.`
      )
    case 'updated':
      return result.replaced && `${path} replaced what was edited of its document (${result.documentId}).`
    case 'skipped':
      return `${path} was left out: ${result.reason}.`
    case 'gone':
      return `${path} is no longer in the folder. Its document (${result.documentId}) stays.`
  }
  return undefined
}

/** What an import did, on a few lines. */
export function describeSummary(summary: ImportSummary): string {
  const { created, updated, unchanged, conflict, failed } = summary
  const files = created + updated + unchanged + conflict + failed
  const counts = { new: created, updated, unchanged, ...(conflict > 0 && { kept: conflict }), failed }
  const outcomes = Object.entries(counts)
  const lines = [
    `Definitions: ${formatCount(files)} in ${(summary.durationMs / 1000).toFixed(1)} s, of them ` +
      `${outcomes.map(([outcome, count]) => `${formatCount(count)} ${outcome}`).join(', ')}.`,
    ...countLine('Files left out since their documents were edited', conflict),
    ...countLine('New folders', summary.foldersCreated),
    ...countLine('Documents whose file is no longer in the folder', summary.gone),
    ...countLine('Links to folders, left out', summary.skipped),
    ...countLine('Other files, left out', summary.ignored),
    ...summary.notes.flatMap(({ kind, count, files: inFiles }) =>
      countLine(NOTE_DESCRIPTIONS[kind], count, ` in ${formatCount(inFiles)} definitions`),
    ),
  ]
  if (summary.interrupted) lines.push('Stopped before the end: run the same command again to go on.')
  return lines.join('\n')
}

const countLine = (what: string, count: number, where = ''): string[] =>
  count === 0 ? [] : [`${what}: ${formatCount(count)}${where}.`]
