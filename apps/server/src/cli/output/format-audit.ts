import { formatCount, printable } from '@meadow/command'
import { formatTable } from '@meadow/command/terminal'
import type { AuditedDocument, LibraryAudit } from '../../features/library-search/audit.store.ts'

/** What the report is about. */
export interface AuditReport extends LibraryAudit {
  team: { name: string }
  at: string
  unchangedDays: number
}

/** The columns of a terminal. */
const WIDTH = 80
/** Rows of each table; `--json` has all. */
const MAX_ROWS = 10

/** The report as text, at most 80 columns wide. */
export function formatAudit(report: AuditReport): string {
  const { team, at, documents, unchangedDays, solves } = report
  const day = at.slice(0, 'yyyy-mm-dd'.length)
  const total = `${formatCount(documents.total)} documents on ${day}`
  const unread = documents.unread > 0 ? [`${formatCount(documents.unread)} could not be read`] : []
  const partial = documents.partial > 0 ? [`${formatCount(documents.partial)} only in part`] : []
  const { never, waiting, complete, valuesComplete, partial: incomplete, failed } = solves
  return [
    cutTo(printable(team.name), WIDTH),
    [total, ...unread, ...partial].join(', '),
    '',
    'Last solves',
    formatTable({
      columns: ['complete', 'all values', 'partial', 'failed', 'waiting', 'never solved'],
      rows: [[complete, valuesComplete, incomplete, failed, waiting, never].map(formatCount)],
    }),
    ...section('Plug-ins', report.plugins, ['documents', 'nodes', 'versions'], (plugin) => [
      plugin.name,
      formatCount(plugin.documents),
      formatCount(plugin.nodes),
      plugin.versions.map(({ version, documents }) => `${version} (${formatCount(documents)})`).join(', '),
    ]),
    ...section('Cannot be solved', report.unsolvable, ['documents', 'nodes', 'why'], (one) => [
      one.component || '(no name)',
      formatCount(one.documents),
      formatCount(one.nodes),
      one.plugin === null ? one.reason : `Plug-in ${[one.plugin, one.version].filter(Boolean).join(' ')}`,
    ]),
    ...section('Failed solves', report.failures, ['why'], (one) => [place(one), one.reason]),
    ...section(
      'Duplicates',
      report.duplicates,
      ['documents', 'nodes', 'where'],
      ({ documents, nodes, isSameFile }) => [
        documents[0]!.name,
        formatCount(documents.length),
        formatCount(nodes),
        `${isSameFile ? 'same file: ' : ''}${documents.map(place).join(', ')}`,
      ],
    ),
    ...section(
      `Neither changed nor solved for ${formatCount(unchangedDays)} days`,
      report.stale,
      ['changed'],
      (one) => [place(one), one.changedAt.slice(0, 'yyyy-mm-dd'.length)],
    ),
    ...section(
      'Objects of Rhino models that no model has',
      report.missingModels,
      ['missing', 'of'],
      (one) => [place(one), formatCount(one.missing), formatCount(one.objects)],
    ),
    ...section('Not read, or in part', report.gaps, ['why'], (one) => [place(one), one.reason]),
  ].join('\n')
}

const place = ({ name, folder }: AuditedDocument): string => (folder === '' ? name : `${folder} / ${name}`)

/** A table whose first column has the title as its heading, and a line about the rows that are left out. */
function section<Row>(
  title: string,
  all: readonly Row[],
  headings: readonly string[],
  cells: (row: Row) => string[],
): string[] {
  const heading = `${title}: ${all.length === 0 ? 'none' : formatCount(all.length)}`
  if (all.length === 0) return ['', heading]
  const rows = all.slice(0, MAX_ROWS).map((row) => cells(row).map(printable))
  const left = all.length - rows.length
  const more = left > 0 ? [`… and ${formatCount(left)} more: --json has all`] : []
  return ['', heading, formatTable({ columns: ['', ...headings], rows: fitRows(headings, rows) }), ...more]
}

const GAP = 2

/** Cuts the first and the last column, so that the table fits; the others have numbers. */
function fitRows(headings: readonly string[], rows: readonly (readonly string[])[]): string[][] {
  const widthOf = (column: number) =>
    Math.max(...rows.map((row) => [...row[column]!].length), headings[column - 1]?.length ?? 0)
  const last = headings.length
  const between = headings.slice(0, -1).reduce((sum, _, index) => sum + widthOf(index + 1) + GAP, GAP)
  const room = WIDTH - between
  // Each gets what the other does not need, and at least half.
  const half = Math.floor(room / 2)
  const firstWidth = Math.min(widthOf(0), Math.max(half, room - widthOf(last)))
  const lastWidth = room - firstWidth
  return rows.map((row) =>
    row.map((cell, column) =>
      column === 0 ? cutTo(cell, firstWidth) : column === last ? cutTo(cell, lastWidth) : cell,
    ),
  )
}

function cutTo(text: string, width: number): string {
  const characters = [...text]
  return characters.length > width ? `${characters.slice(0, Math.max(0, width - 1)).join('')}…` : text
}
