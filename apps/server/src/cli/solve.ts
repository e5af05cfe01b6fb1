import { Command } from 'commander'
import type { SolveRecord } from '../features/solves/solves.store.ts'
import { type AskedSolve, askForAll, getDocuments, listDocuments } from './ask-for-all.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { UsageFailure } from './failure.ts'
import { formatCount } from './format-count.ts'
import { watchInterrupt } from './interrupt.ts'
import type { Output } from './output.ts'
import { printable } from './printable.ts'
import { canDraw, createProgress } from './progress.ts'
import { openStorage, type Storage } from './storage.ts'
import { waitForSolves } from './wait-for-solves.ts'

/** `meadow-server solve` */
export const solve = (start: StartCommand): Command =>
  new Command('solve')
    .summary('Ask for solves of documents.')
    .description(
      'Ask for solves of documents. A running server makes them, or "meadow-server work"; each costs its team a ' +
        'credit for every second that was begun.',
    )
    .argument('[documents...]', 'The ids of documents.')
    .option('--team <id>', 'A team, to be said together with --all.')
    .option('--all', 'All documents of the team.')
    .option('--wait', 'Wait until all are solved, or have failed.')
    .action(start(runSolve))
    .addHelpText(
      'after',
      examples(
        'meadow-server solve <DOCUMENT>',
        'meadow-server solve <DOCUMENT> <DOCUMENT> --wait',
        'meadow-server solve --team <ID> --all --wait',
        'meadow-server solve --team <ID> --all --wait --json > solves.json',
      ),
    )
    .addHelpText(
      'after',
      `
A document that has a solve waiting keeps it, and is solved once. With --wait, the exit code is 1 when a solve did not
succeed; Ctrl-C ends the waiting, and the solves go on.`,
    )

interface Options {
  team?: string
  all?: true
  wait?: true
}

async function runSolve(context: CommandContext, ids: string[], options: Options): Promise<void> {
  const { env, output } = context
  await using storage = await openStorage({ env, output })
  const asked = await askForAll(storage, await listWanted(storage, ids, options))
  if (options.wait) return await watch(context, storage, asked)
  const list = output.openList('solves')
  for (const { id, document } of asked) list.add({ id, documentId: document.id, state: 'queued' })
  list.end({ asked: asked.length }, () => asked.map(({ id }) => id).join('\n'))
  output.message(`Solves asked for: ${formatCount(asked.length)}.`)
}

function listWanted(storage: Storage, ids: string[], { team, all }: Options) {
  if (ids.length > 0 && !team && !all) return getDocuments(storage, ids)
  if (ids.length === 0 && team && all) return listDocuments(storage, team)
  throw new UsageFailure('Name documents, or say --team ID --all. See "meadow-server solve --help".')
}

/** How solves ended, by how many. */
interface Counts {
  asked: number
  solved: number
  failed: number
  /** For want of credits, or since the document is gone. */
  givenUp: number
}

async function watch(context: CommandContext, { solves }: Storage, asked: AskedSolve[]): Promise<void> {
  const { env, output, stderr, endWith } = context
  using progress = createProgress(stderr, !output.json && canDraw(stderr, env.TERM))
  using interrupt = watchInterrupt(() =>
    progress.around(() => output.warning('Not waiting any longer. The solves go on.')),
  )
  const counts: Counts = { asked: asked.length, solved: 0, failed: 0, givenUp: 0 }
  const list = output.openList('solves')
  const start = performance.now()
  progress.expect(asked.length)
  await waitForSolves(solves, asked, {
    signal: interrupt.signal,
    onEnd(solve, record) {
      const { state, ...facts } = howItEnded(record)
      counts[state]++
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
  progress.around(() => list.end({ ...counts, durationMs }, () => describeCounts(counts, durationMs)))
  if (counts.solved < counts.asked) endWith(1)
  if (interrupt.signal.aborted) endWith(interrupt.exitCode)
}

interface Ending {
  state: 'solved' | 'failed' | 'givenUp'
  reason?: string
  durationMs?: number
  credits?: number
}

function howItEnded(record: SolveRecord | undefined): Ending {
  if (!record) return { state: 'givenUp', reason: 'Its team has no credits left, or the document is gone.' }
  const spent = { durationMs: record.durationMs ?? 0, credits: record.credits ?? 0 }
  return record.state === 'solved'
    ? { state: 'solved', ...spent }
    : { state: 'failed', reason: record.reason ?? '', ...spent }
}

function warnOfTrouble(output: Output, { document }: AskedSolve, reason: string | undefined): void {
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
