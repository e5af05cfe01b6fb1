import type { Solution } from '@meadow/client'
import { UsageFailure } from '@meadow/command'
import type { Command, CommandContext } from '../command-context.ts'
import { findDocument } from '../find/find-document.ts'
import { parameterOf, WAIT_OPTION } from '../help.ts'
import { waitUntilSolved } from '../wait-until-solved.ts'

interface SolutionOptions {
  geometry?: true
  format: string
  wait?: number
}

/** `meadow solution` prints the most recent solution. */
export const solutionCommand: Command = {
  name: 'solution',
  description:
    'Read the most recent solution: how complete it is, and its messages. --json prints all of it.',
  arguments: { '<document>': 'The document.' },
  options: {
    '--geometry': `With geometry. ${parameterOf('readSolution', 'includeGeometry').description}`,
    '--format <format>': {
      says: 'The form of the JSON: a solution, or a flat store of objects.',
      choices: parameterOf('readSolution', 'format').values,
      default: 'json',
    },
    ...WAIT_OPTION,
  },
  reads: ['readSolution'],
  examples: [
    'meadow solution Tower',
    'meadow solution Tower --wait --json > solution.json',
    "meadow solution Tower --jq '.completeness'",
    'meadow solution Tower --format bimz --jq \'.objects[] | select(.type == "mesh") | .name\'',
  ],
  run: readSolution,
}

async function readSolution(
  { openMeadow, output, options: { csv }, signal }: CommandContext,
  name: string,
  { geometry, format, wait }: SolutionOptions,
): Promise<void> {
  if (format === 'bimz' && csv) throw new UsageFailure('A bimz document is no table: use --json.')
  const meadow = await openMeadow()
  const id = await findDocument(meadow, name, signal)
  if (wait !== undefined) await waitUntilSolved(meadow, id, wait, signal)
  if (format === 'bimz') {
    const document = await meadow.readSolution(id, { format: 'bimz', signal })
    return output.data(document, () => JSON.stringify(document))
  }
  const solution = await meadow.readSolution(id, { includeGeometry: geometry === true, signal })
  await output.data(solution, {
    table: {
      columns: ['level', 'code', 'node', 'message'],
      rows: solution.messages.map(({ level, code = null, nodeInstanceId, message }) => [
        level,
        code,
        nodeInstanceId,
        message,
      ]),
    },
    text: () => describe(solution).join('\n'),
  })
}

function describe({
  data,
  solvedAt,
  durationMs,
  completeness,
  solver,
  includesGeometry,
  messages,
}: Solution): string[] {
  const counts = new Map<string, number>()
  for (const { level, code } of messages) {
    const key = code === undefined ? level : `${level} (${code})`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const listed = [...counts].map(([key, count]) => `${count} ${key}`).join(', ')
  return [
    `id        ${data.solutionId}`,
    `solved    ${solvedAt}, in ${durationMs} ms`,
    ...(completeness ? [`complete  ${describeCompleteness(completeness)}`] : []),
    ...(solver ? [`solver    ${solver.name} ${solver.version}`] : []),
    `geometry  ${includesGeometry ? 'included' : 'not included'}`,
    `messages  ${listed || 'none'}${messages.length > 0 ? ' (--csv lists them)' : ''}`,
  ]
}

const describeCompleteness = (counts: NonNullable<Solution['completeness']>): string =>
  `${counts.isComplete ? 'yes' : counts.valuesComplete ? 'all values' : 'no'}: of ${counts.nodes} nodes ${counts.solved} solved, ${counts.failed} failed, ` +
  `${counts.unsupported} unsupported, ${counts.unknown} unknown`
