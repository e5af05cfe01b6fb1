import { count, milliseconds } from '../figures-as-text.ts'
import { table } from '../table.ts'
import type { CrashFigures } from './crashes.ts'
import type { LiveServerFigures, Spread } from './live-server.ts'

/** Milliseconds, at the middle and at the 99th of a hundred; and how often a read under edit may take that of an idle one. */
const AIMS = { visible: { p50Ms: 5, p99Ms: 25 }, seenP99Ms: 250, readingRatio: 3 }

/** What live editing costs, and what is left when a server is killed. */
export interface LiveEditingFigures {
  server: LiveServerFigures
  crashes: CrashFigures
}

export function printLiveServer({ server, crashes }: LiveEditingFigures): string {
  const { visible, editors, reading, memory } = server
  const ratio = reading.underEdit.p50Ms / reading.idle.p50Ms
  const isVisible = visible.p50Ms <= AIMS.visible.p50Ms && visible.p99Ms <= AIMS.visible.p99Ms
  const isSeen = editors.lost === 0 && editors.seen.p99Ms <= AIMS.seenP99Ms
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
      `3 times idle ${mark(ratio <= AIMS.readingRatio)}`,
    ),
  ]
  return [
    `## Live editing\n\n${editors.count} editors in a document of 1,000 nodes, ${editors.editsEachSecond} edits a second ` +
      `each: ${count(editors.edits)} edits, ${editors.lost} lost.`,
    table(['what', 'p50 ms', 'p99 ms', 'aim'], rows),
    `An open document of ${memory.nodes} nodes takes ${Math.round(memory.bytesEach / 1024)} KB of the server, ` +
      `${count(memory.documents)} of them ${Math.round((memory.bytesEach * memory.documents) / 2 ** 20)} MB.`,
    `Killed ${crashes.kills} times while editing: ${count(crashes.acknowledged)} edits were acknowledged, ` +
      `${crashes.lost} of them lost, ${crashes.invalid} faults in the document ${mark(crashes.lost + crashes.invalid === 0)}.`,
  ].join('\n\n')
}

const mark = (isReached: boolean) => (isReached ? '✓' : '✗')
