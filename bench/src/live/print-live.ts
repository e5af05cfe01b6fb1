import { aimed, count, mark, milliseconds, table } from '../harness/report.ts'
import type { Spread } from '../harness/statistics.ts'
import type { LiveDocumentFigures } from './live-document.ts'
import type { LiveServerFigures } from './live-server.ts'

/** The figures of a prototype, which must not become worse. */
const DOCUMENT_AIMS = { loadMs: 138, editAndReadMs: 4, bytes: 17 * 2 ** 20 }

export function printLiveDocument(figures: LiveDocumentFigures): string {
  const { nodes, jsonBytes, documentBytes, readerBytes } = figures
  const rows = [
    ['begin', milliseconds(figures.beginMs), ''],
    ['load', milliseconds(figures.loadMs), verdict(figures.loadMs, DOCUMENT_AIMS.loadMs)],
    ['read all', milliseconds(figures.readMs), ''],
    [
      'edit, then read all',
      milliseconds(figures.editAndReadMs),
      verdict(figures.editAndReadMs, DOCUMENT_AIMS.editAndReadMs),
    ],
    ['add a node, then read all', milliseconds(figures.addNodeAndReadMs), ''],
    ['check an update', figures.checkMs.toFixed(4), `p99 ${figures.checkP99Ms.toFixed(4)}`],
    ['apply an update', figures.applyMs.toFixed(4), ''],
  ]
  const bytes = documentBytes + readerBytes
  return [
    `## A live document\n\n${count(nodes)} nodes, ${megabytes(jsonBytes)} MB of JSON:`,
    table(['what', 'ms', 'aim'], rows),
    `Open, it takes ${megabytes(documentBytes)} MB, and ${megabytes(readerBytes)} MB more for what its reader keeps ` +
      `(aim: ${megabytes(DOCUMENT_AIMS.bytes)} MB ${mark(bytes <= DOCUMENT_AIMS.bytes)}); a thousand of them ` +
      `${((bytes / 2 ** 30) * 1000).toFixed(1)} GB.`,
  ].join('\n\n')
}

/**
 * The aims for editing, in milliseconds. `readingRatio` is the ratio of reads after an edit to reads of an idle
 * document.
 */
const EDITING_AIMS = { visible: { p50Ms: 5, p99Ms: 25 }, seenP99Ms: 250, readingRatio: 3 }

export function printLiveServer({ visible, editors, reading, memory }: LiveServerFigures): string {
  const ratio = reading.underEdit.p50Ms / reading.idle.p50Ms
  const isVisible = visible.p50Ms <= EDITING_AIMS.visible.p50Ms && visible.p99Ms <= EDITING_AIMS.visible.p99Ms
  const isSeen = editors.lost === 0 && editors.seen.p99Ms <= EDITING_AIMS.seenP99Ms
  const row = (what: string, { p50Ms, p99Ms }: Spread, aim = '') => [
    what,
    milliseconds(p50Ms),
    milliseconds(p99Ms),
    aim,
  ]
  const rows = [
    row('edit, until the API shows it', visible, `5 and 25 ${mark(isVisible)}`),
    row('edit, until it is acknowledged', editors.acknowledged),
    row('edit, until another editor sees it', editors.seen, `p99 250, none lost ${mark(isSeen)}`),
    row('read 2,000 nodes, idle', reading.idle),
    row(
      'read 2,000 nodes after each edit',
      reading.underEdit,
      `3 times idle ${mark(ratio <= EDITING_AIMS.readingRatio)}`,
    ),
  ]
  return [
    `## Live editing\n\n${editors.count} editors in a document of 1,000 nodes, ${editors.editsEachSecond} edits a second ` +
      `each: ${count(editors.edits)} edits, ${editors.lost} lost.`,
    table(['what', 'p50 ms', 'p99 ms', 'aim'], rows),
    `An open document of ${memory.nodes} nodes takes ${Math.round(memory.bytesEach / 1024)} KB of the server, ` +
      `${count(memory.documents)} of them ${Math.round((memory.bytesEach * memory.documents) / 2 ** 20)} MB.`,
  ].join('\n\n')
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
const verdict = (value: number, aim: number) => aimed(aim, value <= aim)
