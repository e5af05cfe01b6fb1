import { type DataValue, type Document, Forbidden, type Meadow, type Solution, treesOf } from '@meadow/client'
import { CommandFailure, UsageFailure } from '@meadow/command'
import { STDOUT, writeFile } from '@meadow/command/files'
import type { TablePort } from '@meadow/tables'
import type { Command, CommandContext } from '../command-context.ts'
import { EXIT_CODES } from '../failure.ts'
import { findDocument } from '../find/find-document.ts'
import { WAIT_OPTION } from '../help.ts'
import { findTarget, writeToStdout } from '../output/target.ts'
import { toFileName } from '../pull/file-names.ts'
import { waitUntilSolved } from '../wait-until-solved.ts'

interface ValuesOptions {
  wait?: number
  parquet?: true
  arrow?: true
  columns?: string
  excel?: true
  output?: string
}

/** The maximum number of rows that a terminal shows. */
const SHOWN_ROWS = 1000

/** The maximum number of nodes that an error lists. */
const LISTED_NODES = 20

/** `meadow values` prints the values of a solution as rows. */
export const valuesCommand: Command = {
  name: 'values',
  description:
    'Print the values of the most recent solution, one row each: node, port, path, index, type, value.',
  arguments: {
    '<document>': 'The document.',
    '[node...]': 'Only these nodes or ports: ids or names, such as Height, or Points/Geometry for a port.',
  },
  options: {
    ...WAIT_OPTION,
    '--parquet': 'Write a Parquet file.',
    '--arrow': 'Write an Arrow file (IPC stream).',
    '--columns <names>': 'The columns of CSV, Parquet or Arrow, with commas between them.',
    '--excel': 'CSV with a byte order mark, by which Excel recognizes UTF-8.',
    '-o, --output <file>': 'Where to write the table: a file, a folder, or - for stdout.',
  },
  reads: ['readSolution', 'readDocument'],
  examples: [
    'meadow values Tower',
    'meadow values Tower Height --jq ".[0].value"',
    'meadow values Tower --csv > tower.csv',
    'meadow values Tower --parquet',
    'meadow values Tower --wait --arrow -o - | python3 report.py',
  ],
  run: values,
}

async function values(
  context: CommandContext,
  name: string,
  nodes: readonly string[],
  options: ValuesOptions,
): Promise<void> {
  const { output, signal, stdout, run } = context
  checkOptions(context, options)
  const meadow = await context.openMeadow()
  const id = await findDocument(meadow, name, signal)
  if (options.wait !== undefined) await waitUntilSolved(meadow, id, options.wait, signal)
  const [solution, document] = await Promise.all([
    meadow.readSolution(id, { signal }),
    readNames(meadow, id, signal),
  ])
  const chosen = await run(() => choosePorts(solution, document, nodes))
  if (options.parquet || options.arrow || context.options.csv)
    return writeTable(context, options, chosen, document, document?.name ?? id)
  const rows = await run(() => listRows(chosen, document))
  const shown = stdout.isTTY ? rows.slice(0, SHOWN_ROWS) : rows
  await output.data(rows, {
    table: {
      columns: ['node', 'port', 'path', 'index', 'type', 'value'],
      rows: shown.map(({ nodeId, node, portId, port, path, index, type, value }) => [
        node ?? nodeId,
        port ?? portId,
        path,
        index,
        type,
        formatValue(value),
      ]),
    },
  })
  const more = rows.length - shown.length
  if (more > 0) output.message(`… and ${more} more: --csv and --json have all of them.`)
}

function checkOptions({ options: { csv, json, jq } }: CommandContext, options: ValuesOptions): void {
  const formats = [csv, json ?? jq, options.parquet, options.arrow].filter(Boolean)
  if (formats.length > 1) throw new UsageFailure('Choose one of --csv, --json, --parquet and --arrow.')
  const isTable = csv || options.parquet || options.arrow
  const other = options.columns !== undefined || options.output !== undefined
  if (other && !isTable)
    throw new UsageFailure('--columns and --output are for tables: add --csv, --parquet or --arrow.')
  if (options.excel && !csv) throw new UsageFailure('--excel is for --csv.')
}

/** Resolves with the document, for the names of nodes; undefined for a token that may only read solutions. */
async function readNames(meadow: Meadow, id: string, signal: AbortSignal): Promise<Document | undefined> {
  try {
    return await meadow.readDocument(id, { signal })
  } catch (error) {
    if (error instanceof Forbidden) return undefined
    throw error
  }
}

/** Returns the solution with the nodes and ports that were named. Throws for a name that none of them has. */
function choosePorts(solution: Solution, document: Document | undefined, names: readonly string[]): Solution {
  if (names.length === 0) return solution
  const ports = treesOf(solution, document)
  const wanted = names.map((name) => {
    const found = ports.filter(({ nodeId, portId, node = nodeId, port = portId, portName = port }) => {
      const portNames = [portId, port, portName]
      const ofNode = portNames.flatMap((ofPort) => [`${node}/${ofPort}`, `${nodeId}/${ofPort}`])
      return [nodeId, node, portId, ...ofNode].includes(name)
    })
    if (found.length === 0) {
      const nodes = [...new Set(ports.map(({ node, nodeId }) => node ?? nodeId))]
      const listed = nodes.slice(0, LISTED_NODES).join(', ')
      const more = nodes.length > LISTED_NODES ? ` and ${nodes.length - LISTED_NODES} more` : ''
      throw new CommandFailure(
        `The solution has no node or port ${JSON.stringify(name)}. Nodes with values: ${listed}${more}.`,
        { exitCode: EXIT_CODES.notFound },
      )
    }
    return found
  })
  const keys = new Set(wanted.flat().map(({ nodeId, portId }) => `${nodeId}/${portId}`))
  const { solutionId, ...nodes } = solution.data
  const data = Object.entries(nodes).flatMap(([nodeId, trees]) => {
    const kept = Object.entries(trees).filter(([portId]) => keys.has(`${nodeId}/${portId}`))
    return kept.length === 0 ? [] : [[nodeId, Object.fromEntries(kept)]]
  })
  return { ...solution, data: { ...Object.fromEntries(data), solutionId } as Solution['data'] }
}

interface ValueRow extends TablePort {
  path: string
  index: number
  type: DataValue['type'] | null
  value: DataValue['value'] | null
}

const listRows = (solution: Solution, document: Document | undefined): ValueRow[] =>
  treesOf(solution, document).flatMap(
    ({ nodeId, node = null, component = null, portId, port = null, portName = null, tree }) =>
      [...tree].map(({ path, index, item }) => ({
        ...{ nodeId, node, component, portId, port, portName, path, index },
        type: item?.type ?? null,
        value: item?.value ?? null,
      })),
  )

/**
 * Formats a value for a line: numbers and texts as they are, points as `x, y, z`, other geometry by its description.
 */
function formatValue(value: ValueRow['value']): string | number | boolean | null {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return 'description' in value ? value.description : JSON.stringify(value)
}

async function writeTable(
  context: CommandContext,
  { parquet, arrow, columns, excel, output: target }: ValuesOptions,
  solution: Solution,
  document: Document | undefined,
  name: string,
): Promise<void> {
  const { openArrow, openCsv, openParquet } = await import('@meadow/tables')
  const chosen = { columns: columns?.split(',').map((column) => column.trim()) }
  const [extension, writer] = parquet
    ? ['parquet', openIn(() => openParquet(chosen))]
    : arrow
      ? ['arrow', openIn(() => openArrow(chosen))]
      : ['csv', openIn(() => openCsv({ ...chosen, byteOrderMark: excel }))]
  async function* pieces() {
    for (const part of [writer.write({ solution, document }), writer.end()]) {
      const iterator = part[Symbol.iterator]()
      const next = () => iterator.next()
      for (let one = await context.run(next); !one.done; one = await context.run(next)) yield one.value
    }
  }
  if (target === STDOUT || (context.options.csv && target === undefined)) {
    if (context.options.csv)
      for await (const piece of pieces())
        context.output.write(new TextDecoder('utf-8', { ignoreBOM: true }).decode(piece))
    else await writeToStdout(context, pieces())
    return
  }
  const path = await findTarget(target, toFileName(name, `.${extension}`))
  await writeFile(path, pieces())
  context.output.message(`Wrote ${path}.`)
}

/** Turns the error about a column that does not exist into one about the usage of the command. */
function openIn<T>(open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw error instanceof RangeError ? new UsageFailure(error.message) : error
  }
}
