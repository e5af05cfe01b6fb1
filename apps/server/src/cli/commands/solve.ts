import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCount,
  type Output,
  printable,
  UsageFailure,
} from '@meadow/command'
import { createProgress, formatTable } from '@meadow/command/terminal'
import type { SolutionId } from '@meadow/contract'
import { toCredits } from '@meadow/contract/web/terms'
import type { UnsolvedCause } from '@meadow/solver'
import { createHistoryWork } from '../../content/history/history-work.ts'
import { keepVersions } from '../../content/history/keep-versions.ts'
import { listOutdated } from '../../features/solves/outdated-solves.store.ts'
import type { SolvableDocument, SolveRecord, SolveStore } from '../../features/solves/solves.store.ts'
import { gradeOf, type SolveCompleteness } from '../../library/completeness.ts'
import { getDocuments, getTeam, openStorage, type Storage } from '../storage.ts'

/** `meadow-server solve` */
export const solve: Declaration = {
  name: 'solve',
  description:
    'Ask for solves of documents. A running server makes them, or "meadow-server work"; each costs its team a ' +
    'tenth of a credit for every tenth of a second of processor time that was begun.',
  arguments: { '[documents...]': 'The ids of documents.' },
  options: {
    '--team <id>': 'A team, to be said together with --all or --outdated.',
    '--all': 'All documents of the team.',
    '--outdated': 'Those that were solved before a model changed that they refer to.',
    '--wait': 'Wait until all are solved, or have failed.',
  },
  examples: [
    'meadow-server solve <DOCUMENT>',
    'meadow-server solve <DOCUMENT> <DOCUMENT> --wait',
    'meadow-server solve --team <ID> --all --wait',
    'meadow-server solve --team <ID> --outdated',
    'meadow-server solve --team <ID> --all --wait --json > solves.json',
  ],
  remarks: `
A document that has a solve waiting keeps it, and is solved once. With --wait, the exit code is 1 when a solve did not
succeed; Ctrl-C ends the waiting, and the solves go on.`,
  run: runSolve,
}

interface Options {
  team?: string
  all?: true
  outdated?: true
  wait?: true
}

async function runSolve(context: CommandContext, ids: string[], options: Options): Promise<void> {
  const { env, output } = context
  await using storage = await openStorage({ env, output })
  const requested = await requestSolves(storage, await listRequested(storage, ids, options))
  if (options.wait) return await watch(context, storage, requested)
  const list = output.openList('solves')
  for (const { id, document } of requested) list.add({ id, documentId: document.id, state: 'queued' })
  list.end({ asked: requested.length }, () => requested.map(({ id }) => id).join('\n'))
  output.message(`Solves asked for: ${formatCount(requested.length)}.`)
}

async function listRequested(storage: Storage, ids: string[], { team, all, outdated }: Options) {
  if (ids.length > 0 && !team && !all && !outdated) return getDocuments(storage, ids)
  if (ids.length === 0 && team && all && !outdated) return listDocuments(storage, team)
  if (ids.length === 0 && team && outdated && !all)
    return listOutdated(storage.database, (await getTeam(storage.database, team)).key)
  throw new UsageFailure(
    'Name documents, or say --team ID with --all or --outdated. See "meadow-server solve --help".',
  )
}

/** How many documents are requested in one transaction. */
const BATCH = 50

const PAGE = 1000

/** All documents of the team with this id. */
async function listDocuments({ database, solves }: Storage, teamId: string): Promise<SolvableDocument[]> {
  const team = await getTeam(database, teamId)
  const documents: SolvableDocument[] = []
  let page: SolvableDocument[]
  do {
    page = await solves.listDocuments(team.key, documents.at(-1)?.key, PAGE)
    documents.push(...page)
  } while (page.length === PAGE)
  return documents
}

/** A solve that was requested. */
interface RequestedSolve {
  id: SolutionId
  document: SolvableDocument
}

/** Requests a solve of each document, as it is now, which is kept as a version. Fails when a team has no credits; earlier requests for other teams remain. */
async function requestSolves(
  storage: Storage,
  documents: readonly SolvableDocument[],
): Promise<RequestedSolve[]> {
  const { database, solves } = storage
  const { blobs } = await storage.openBlobs()
  const byKey = new Map(documents.map((document) => [document.key, document]))
  const requested: RequestedSolve[] = []
  for (const [team, ofTeam] of Map.groupBy(documents, ({ team }) => team)) {
    for (let start = 0; start < ofTeam.length; start += BATCH) {
      const keys = ofTeam.slice(start, start + BATCH).map(({ key }) => key)
      for (const key of keys)
        await keepVersions({ database, blobs, history: createHistoryWork(blobs) }, key, 'solve')
      const response = await solves.request(team, keys)
      if ('error' in response) {
        throw new CommandFailure(
          `The team of "${printable(ofTeam[start]!.name)}" has no credits left, and without them there is no solve. ` +
            '"meadow-server team credits ID --add 3600" gives it some.',
        )
      }
      requested.push(...response.solves.map(({ id, document }) => ({ id, document: byKey.get(document)! })))
    }
  }
  return requested
}

/** How many solves ended in each way. */
interface Counts {
  asked: number
  solved: number
  /**
   * These three divide `solved`: the second ones lack only nodes without outputs, the third ones lack values (decisions 34
   * and 47).
   */
  complete: number
  valuesComplete: number
  partial: number
  failed: number
  /** Solves that were given up, because the team has no credits, or the document is deleted. */
  givenUp: number
}

async function watch(
  context: CommandContext,
  { solves }: Storage,
  requested: RequestedSolve[],
): Promise<void> {
  const { env, output, stderr, endWith } = context
  using progress = createProgress({ env, output, stderr })
  using interrupt = context.watchInterrupt(() =>
    progress.around(() => output.warning('Not waiting any longer. The solves go on.')),
  )
  const counts: Counts = {
    asked: requested.length,
    solved: 0,
    complete: 0,
    valuesComplete: 0,
    partial: 0,
    failed: 0,
    givenUp: 0,
  }
  const causes = createCauseCounts()
  const list = output.openList('solves')
  const start = performance.now()
  progress.expect(requested.length)
  await waitForSolves(solves, requested, {
    signal: interrupt.signal,
    onEnd(solve, record) {
      const { state, ...facts } = describeEnd(record)
      counts[state]++
      const { completeness } = facts
      if (completeness) counts[gradeOf(completeness)]++
      for (const cause of completeness?.causes ?? []) causes.add(cause)
      list.add({ id: solve.id, documentId: solve.document.id, state, ...facts })
      progress.around(() => warnOfTrouble(output, solve, facts.reason))
      progress.advance(solve.document.name)
    },
    onNoSolver: () =>
      progress.around(() =>
        output.warning('Nothing was begun yet: is a server running, or "meadow-server work"?'),
      ),
  })
  const durationMs = Math.round(performance.now() - start)
  const ends = { ...counts, causes: causes.list(), durationMs }
  progress.around(() =>
    list.end(ends, () => [describeCounts(counts, durationMs), ...describeEnds(ends)].join('\n')),
  )
  if (counts.solved < counts.asked) endWith(1)
  if (interrupt.signal.aborted) endWith(interrupt.exitCode)
}

const POLL_MS = 250

/** Solves begin in the order of their requests, so only the first ones are checked. */
const MAX_CHECKED = 200

/** A running solver would have begun by then. */
const SOLVER_EXPECTED_MS = 10_000

interface Watcher {
  signal: AbortSignal
  /** Called when a solve has ended, without a record if its team has no credits left, or its document is deleted. */
  onEnd(requested: RequestedSolve, record: SolveRecord | undefined): void
  /** No solve has begun, so there seems to be no solver. Called once at most. */
  onNoSolver(): void
}

/** Waits until all have ended, or `signal` aborts. */
async function waitForSolves(
  solves: Pick<SolveStore, 'listSolves'>,
  requested: readonly RequestedSolve[],
  { signal, onEnd, onNoSolver }: Watcher,
): Promise<void> {
  const waiting = new Map(requested.map((solve) => [solve.id, solve]))
  const warnAt = performance.now() + SOLVER_EXPECTED_MS
  let isBegun = false
  let isWarned = false
  while (waiting.size > 0 && !signal.aborted) {
    const ids = [...waiting.keys().take(MAX_CHECKED)]
    const records = new Map((await solves.listSolves(ids)).map((record) => [record.id, record]))
    for (const id of ids) {
      const record = records.get(id)
      if (record?.state !== 'queued') isBegun = true
      if (record?.state === 'queued' || record?.state === 'running') continue
      onEnd(waiting.get(id)!, record)
      waiting.delete(id)
    }
    if (!isBegun && !isWarned && performance.now() > warnAt) {
      isWarned = true
      onNoSolver()
    }
    if (waiting.size > 0) await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

interface Ending {
  state: 'solved' | 'failed' | 'givenUp'
  reason?: string
  durationMs?: number
  credits?: number
  completeness?: SolveCompleteness
}

function describeEnd(record: SolveRecord | undefined): Ending {
  if (!record) return { state: 'givenUp', reason: 'Its team has no credits left, or the document is gone.' }
  const spent = { durationMs: record.durationMs ?? 0, credits: toCredits(record.tenths ?? 0) }
  return record.state === 'solved'
    ? { state: 'solved', ...spent, ...(record.completeness && { completeness: record.completeness }) }
    : { state: 'failed', reason: record.reason ?? '', ...spent }
}

/** Why documents could not be solved whole, over all of them. */
interface CauseCount extends UnsolvedCause {
  documents: number
}

function createCauseCounts() {
  const counts = new Map<string, CauseCount>()
  return {
    add({ cause, nodes }: UnsolvedCause): void {
      const known = counts.get(cause) ?? { cause, nodes: 0, documents: 0 }
      counts.set(cause, { cause, nodes: known.nodes + nodes, documents: known.documents + 1 })
    },
    /** The most frequent first. */
    list: (): CauseCount[] =>
      [...counts.values()].sort((a, b) => b.documents - a.documents || b.nodes - a.nodes),
  }
}

/** How many causes the table lists; `--json` has all. */
const NAMED_CAUSES = 10

/** The final tables: documents by how they ended, and what was missing most often. */
function describeEnds(ends: Counts & { causes: CauseCount[] }): string[] {
  const { complete, valuesComplete, partial, failed, causes } = ends
  if (complete + valuesComplete + partial + failed === 0) return []
  const documents = formatTable({
    columns: ['Result', 'Documents'],
    rows: [
      ['complete', formatCount(complete)],
      ['all values', formatCount(valuesComplete)],
      ['partial', formatCount(partial)],
      ['failed', formatCount(failed)],
    ],
  })
  if (causes.length === 0) return ['', documents]
  const rows = causes
    .slice(0, NAMED_CAUSES)
    .map(({ cause, nodes, documents }) => [formatCount(documents), formatCount(nodes), cause])
  return [
    '',
    documents,
    '',
    formatTable({ columns: ['Documents', 'Nodes', 'Not solved, most frequent first'], rows }),
  ]
}

function warnOfTrouble(output: Output, { document }: RequestedSolve, reason: string | undefined): void {
  if (reason === undefined) return
  output.warning(`"${printable(document.name)}" (${document.id}) has no solution: ${printable(reason)}`)
}

function describeCounts({ asked, solved, failed, givenUp }: Counts, durationMs: number): string {
  const rest = Object.entries({
    failed,
    'given up': givenUp,
    'still under way': asked - solved - failed - givenUp,
  })
  const others = rest.flatMap(([what, count]) => (count > 0 ? [`${formatCount(count)} ${what}`] : []))
  const seconds = (durationMs / 1000).toFixed(1)
  return `Solved ${formatCount(solved)} of ${formatCount(asked)} in ${seconds} s${['', ...others].join(', ')}.`
}
