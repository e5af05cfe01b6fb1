import type { Solution } from '@meadow/client'
import { UsageFailure } from '@meadow/command'
import { writePiece } from '@meadow/command/files'
import type { Command, CommandContext } from '../command-context.ts'
import { findDocument } from '../find/find-document.ts'
import { type PartsOptions, parameterOf, partsOptions, reportMissing, WAIT_OPTION } from '../help.ts'
import { waitUntilSolved } from '../wait-until-solved.ts'

interface SolutionOptions extends PartsOptions {
  lines?: true
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
    ...partsOptions('readSolution'),
    '--lines': 'Write a line of JSON for each port as it comes, and at the end one with the rest.',
    ...WAIT_OPTION,
  },
  reads: ['readSolution'],
  examples: [
    'meadow solution Tower',
    'meadow solution Tower --wait --json > solution.json',
    'meadow solution Tower --nodes name:Facade,name:Roof --json',
    'meadow solution Tower --lines > tower.ndjson',
    "meadow solution Tower --jq '.completeness'",
    'meadow solution Tower --format bimz --jq \'.objects[] | select(.type == "mesh") | .name\'',
  ],
  run: readSolution,
}

async function readSolution(
  { openMeadow, output, options: { csv, json, jq }, signal, stdout }: CommandContext,
  name: string,
  { geometry, format, wait, lines, ...parts }: SolutionOptions,
): Promise<void> {
  if (format === 'bimz' && csv) throw new UsageFailure('A bimz document is no table: use --json.')
  if (lines && (format === 'bimz' || csv || json || jq))
    throw new UsageFailure('--lines is a form of its own: leave out --format, --csv, --json and --jq.')
  if (parts.fields && csv) throw new UsageFailure('Fields are no table: use --json.')
  const meadow = await openMeadow()
  const id = await findDocument(meadow, name, signal)
  if (wait !== undefined) await waitUntilSolved(meadow, id, wait, signal)
  if (format === 'bimz') {
    const document = await meadow.readSolution(id, { format: 'bimz', ...parts, signal })
    reportMissing(output, document.notFound)
    return output.data(document, () => JSON.stringify(document))
  }
  const chosen = { includeGeometry: geometry === true, ...parts, signal }
  if (lines) {
    for await (const line of meadow.readSolutionLines(id, chosen))
      await writePiece(stdout, Buffer.from(`${JSON.stringify(line)}\n`))
    return
  }
  const solution = await meadow.readSolution(id, chosen)
  reportMissing(output, solution.notFound)
  if (parts.fields) return output.data(solution, () => JSON.stringify(solution))
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
