import { count, table } from '../harness/report.ts'
import { MEADOW, MEADOW_ON_POSTGRESQL } from './meadow.ts'
import type { MeasuredCase } from './measure.ts'

/** Meadow beside the fastest of some peers in one case. */
export interface Comparison {
  server: string
  peer: string
  /** Meadow's requests per second divided by those of the peer. */
  times: number
  aim?: number
}

/** How many times the requests per second of the fastest peer. */
const AIMS = { repeated: 10, first: 3 }
/** A plain server is compared without an aim: the bare server itself has less than 10 times its requests per second. */
const isPlain = ({ name }: { name: string }) => name.startsWith('Fastify + Kysely')
/** The same for Meadow on PostgreSQL, beside those that make an API from the tables in PostgreSQL as it does. */
const POSTGRESQL = { aim: 2, peers: ['PostgREST', 'PostGraphile'] }

/** Meadow on SQLite beside the fastest peer, and Meadow on PostgreSQL beside its own ones; none where there is no peer. */
export function comparePeers({ name, manner, figures }: MeasuredCase): Comparison[] {
  const own = ['bare', MEADOW, MEADOW_ON_POSTGRESQL]
  const peers = figures.filter((figure) => !own.includes(figure.name))
  const compare = (server: string, among: typeof peers, aim: number | undefined): Comparison[] => {
    const [fastest] = among.toSorted((a, b) => b.medianPerSecond - a.medianPerSecond)
    const meadow = figures.find((figure) => figure.name === server)
    if (!fastest || !meadow) return []
    const times = meadow.medianPerSecond / fastest.medianPerSecond
    return [{ server, peer: fastest.name, times, ...(aim !== undefined && { aim }) }]
  }
  const isSearch = name.startsWith('search ')
  const aim = manner === 'repeated' ? AIMS.repeated : manner === 'first' && !isSearch ? AIMS.first : undefined
  const onPostgresql = peers.filter((peer) => POSTGRESQL.peers.includes(peer.name))
  return [
    ...compare(
      MEADOW,
      peers.filter((peer) => !isPlain(peer)),
      aim,
    ),
    ...compare(MEADOW, peers.filter(isPlain), undefined),
    ...compare(MEADOW_ON_POSTGRESQL, onPostgresql, manner === 'unchanged' ? undefined : POSTGRESQL.aim),
  ]
}

/** Requests per second of every server, with the processor time of one, and what is left out. */
export function printPeers(cases: readonly MeasuredCase[]): string[] {
  const compared = cases.filter((measured) => comparePeers(measured).length > 0)
  if (compared.length === 0) return []
  const names = [...new Set(compared.flatMap(({ figures }) => figures.map(({ name }) => name)))]
  const rows = compared.map((measured) => [
    measured.name,
    count(measured.documents),
    ...names.map((name) => {
      const found = measured.figures.find((figures) => figures.name === name)
      if (!found) return ''
      const cpu = found.cpuMicroseconds
      return `${count(found.medianPerSecond)}${cpu === undefined ? '' : ` (${count(cpu)})`}`
    }),
    comparePeers(measured).map(describe).join('; '),
  ])
  return [
    '## Beside peers\n\nRequests per second, and in parentheses the processor time of one in µs, that of PostgreSQL included.\n\n' +
      table(['case', 'documents', ...names, 'Meadow : fastest'], rows),
    ...listLeftOut(compared),
  ]
}

function describe({ server, peer, times, aim }: Comparison): string {
  const mark = aim === undefined ? '' : times >= aim ? ` ✓ ${aim}` : ` ✗ ${aim}`
  return `${server === MEADOW ? '' : 'on PostgreSQL '}${times.toFixed(1)}${mark} (${peer})`
}

function listLeftOut(cases: readonly MeasuredCase[]): string[] {
  const casesByReason = new Map<string, Set<string>>()
  for (const { name, leftOut } of cases) {
    for (const { name: peer, reason } of leftOut) {
      const text = `${peer}, since ${reason}`
      casesByReason.set(text, (casesByReason.get(text) ?? new Set()).add(name))
    }
  }
  const lines = [...casesByReason].map(([text, names]) => `- ${[...names].join('; ')}: ${text}`)
  return lines.length === 0 ? [] : [`Left out:\n\n${lines.join('\n')}`]
}
