import { formatCount, printable } from '@meadow/command'
import { formatTable } from '@meadow/command/terminal'
import {
  type ImportResult,
  type ImportSummary,
  NOTE_DESCRIPTIONS,
  type OtherFiles,
  type TooManyGone,
} from '../../features/import/import-result.ts'

/** A message about a file for the operator, if there is one. */
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
      return `${path} is no longer in the folder. ${describeItem(result)} ${result.binned ? 'was put into the bin' : 'stays'}.`
  }
  return undefined
}

const describeItem = ({ documentId, fileId }: { documentId?: string; fileId?: string }): string =>
  documentId ? `Its document (${documentId})` : `Its file in Meadow (${fileId})`

/** What a dry run would do with a file, as cells of a table; undefined for files that it would leave alone. */
export function describePlan(result: ImportResult): string[] | undefined {
  const { path } = result
  switch (result.outcome) {
    case 'unchanged':
      return result.restored && ['restore', path, 'from the bin: its file is back']
    case 'created':
      return ['create', path, result.besides ? `beside the edited document (${result.besides})` : '']
    case 'updated': {
      const move = result.movedFrom === undefined ? [] : [`moved from ${result.movedFrom}`]
      const rest = [
        ...(result.replaced ? ['replaces what was edited'] : []),
        ...(result.restored ? ['restored'] : []),
      ]
      return ['update', path, [...move, ...rest].join(', ')]
    }
    case 'moved':
      return ['move', path, `from ${result.movedFrom}`]
    case 'conflict':
      return ['leave', path, 'its document was edited']
    case 'binned':
      return ['leave', path, 'it is in the bin']
    case 'gone':
      return [result.binned ? 'bin' : 'keep', path, 'its file is gone']
    case 'failed':
      return ['fail', path, result.reason]
    case 'skipped':
      return ['leave', path, result.reason]
  }
}

/** The changes that a dry run would make. */
export const formatPlan = (rows: readonly string[][]): string[] =>
  rows.length === 0 ? [] : [formatTable({ columns: ['What', 'File', 'Why'], rows }), '']

/** The result of an import, in a few lines. */
export function describeSummary(summary: ImportSummary): string {
  const { created, updated, moved, unchanged, conflict, binned, failed } = summary
  const files = created + updated + moved + unchanged + conflict + binned + failed
  const counts = {
    new: created,
    updated,
    ...(moved > 0 && { moved }),
    unchanged,
    ...(conflict > 0 && { kept: conflict }),
    ...(binned > 0 && { 'in the bin': binned }),
    failed,
  }
  const outcomes = Object.entries(counts)
  const lines = [
    ...(summary.dryRun ? ['A dry run: nothing was written. An import would have this result.'] : []),
    `Files: ${formatCount(files)} in ${(summary.durationMs / 1000).toFixed(1)} s, of them ` +
      `${outcomes.map(([outcome, count]) => `${formatCount(count)} ${outcome}`).join(', ')}.`,
    ...countLine('Files left out since their documents were edited', conflict),
    ...countLine(
      'Files left out since they are in the bin: restore them there to have them imported again',
      binned,
    ),
    ...countLine('Restored from the bin, because their files are back', summary.restored),
    ...countLine('New folders', summary.foldersCreated),
    ...describeGone(summary),
    ...countLine('Links to folders, left out', summary.skipped),
    ...describeOthers(summary),
    ...summary.notes.flatMap(({ kind, count, files: inFiles, examples = [] }) => [
      ...countLine(NOTE_DESCRIPTIONS[kind], count, ` in ${formatCount(inFiles)} definitions`),
      ...examples.map((example) => `  ${example}`),
    ]),
  ]
  lines.push(...describeUnsolvable(summary.unsolvable))
  if (summary.interrupted) lines.push('Stopped before the end: run the same command again to go on.')
  return lines.join('\n')
}

const countLine = (what: string, count: number, where = ''): string[] =>
  count === 0 ? [] : [`${what}: ${formatCount(count)}${where}.`]

function describeGone({ gone, goneBinned, goneBefore, tooManyGone }: ImportSummary): string[] {
  const kept = gone - goneBinned
  return [
    ...countLine('Put into the bin, because their files are no longer in the folder', goneBinned),
    ...countLine('Kept, although their files are no longer in the folder', kept),
    ...countLine('Kept, and reported before', goneBefore),
    ...(tooManyGone ? [describeTooManyGone(tooManyGone)] : []),
  ]
}

/** Says why nothing was put into the bin. */
export const describeTooManyGone = ({ gone, files, maxPercent }: TooManyGone): string =>
  `Nothing was put into the bin: ${formatCount(gone)} of ${formatCount(files)} files are gone, more than ` +
  `${maxPercent} %. If that is right, run the import again with --max-gone 100.`

/** How many kinds of other files the summary lists; `--json` has all of them, with names. */
const LISTED_KINDS = 8

function describeOthers({ ignored, others }: ImportSummary): string[] {
  if (ignored === 0) return []
  const listed = others.slice(0, LISTED_KINDS)
  const rest = ignored - listed.reduce((sum, { count }) => sum + count, 0)
  const kinds = listed.map(describeKind)
  if (rest > 0) kinds.push(`others ${formatCount(rest)}`)
  const examples = listed.slice(0, 2).flatMap(({ examples }) => examples.slice(0, 1))
  return [
    `Other files, left out: ${formatCount(ignored)} (${kinds.join(', ')}), such as ${examples.map(printable).join(' and ')}.`,
  ]
}

const describeKind = ({ extension, count }: OtherFiles): string =>
  `${printable(extension) || 'without extension'} ${formatCount(count)}`

/** How many causes of a document its row lists; `--json` has every node. */
const SHOWN_CAUSES = 2
/** How many causes the summary lists. */
const LISTED_CAUSES = 5

/** What of the documents that were read cannot be solved: the most frequent causes, and the documents. */
function describeUnsolvable({ documents, nodes, causes, worst }: ImportSummary['unsolvable']): string[] {
  if (documents === 0) return []
  const byCause = causes
    .slice(0, LISTED_CAUSES)
    .map(({ cause, nodes, documents }) => [formatCount(documents), formatCount(nodes), cause])
  const byDocument = worst.map(({ path, nodes, causes }) => {
    const more = causes.length > SHOWN_CAUSES ? [`${formatCount(causes.length - SHOWN_CAUSES)} more`] : []
    return [formatCount(nodes), path, [...causes.slice(0, SHOWN_CAUSES), ...more].join('; ')]
  })
  return [
    `Of the documents that were read, ${formatCount(documents)} cannot be solved whole: ${formatCount(nodes)} nodes.`,
    '',
    formatTable({ columns: ['Documents', 'Nodes', 'Not solved, most frequent first'], rows: byCause }),
    '',
    formatTable({ columns: ['Nodes', 'Document', 'Not solved'], rows: byDocument }),
    ...(documents > worst.length ? [`And ${formatCount(documents - worst.length)} more: see --json.`] : []),
  ]
}
