import { count, milliseconds } from '../figures-as-text.ts'
import { table } from '../table.ts'
import type { LiveDocumentFigures } from './live-document.ts'

/** What was measured before anything was built, and is to be no worse. */
const AIMS = { loadMs: 138, editAndReadMs: 4, bytes: 17 * 2 ** 20 }

export function printLiveDocument(figures: LiveDocumentFigures): string {
  const { nodes, jsonBytes, documentBytes, readerBytes } = figures
  const rows = [
    ['begin', milliseconds(figures.beginMs), ''],
    ['load', milliseconds(figures.loadMs), verdict(figures.loadMs, AIMS.loadMs)],
    ['read all', milliseconds(figures.readMs), ''],
    [
      'edit, then read all',
      milliseconds(figures.editAndReadMs),
      verdict(figures.editAndReadMs, AIMS.editAndReadMs),
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
      `(aim: ${megabytes(AIMS.bytes)} MB ${bytes <= AIMS.bytes ? '✓' : '✗'}); a thousand of them ` +
      `${((bytes / 2 ** 30) * 1000).toFixed(1)} GB.`,
  ].join('\n\n')
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
const verdict = (value: number, aim: number) => `${aim} ${value <= aim ? '✓' : '✗'}`
