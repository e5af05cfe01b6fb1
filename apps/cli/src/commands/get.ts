import type { Document } from '@meadow/client'
import { printable, UsageFailure } from '@meadow/command'
import { formatTable } from '@meadow/command/terminal'
import type { Command, CommandContext } from '../command-context.ts'
import { findDocument } from '../find/find-document.ts'
import { type PartsOptions, partsOptions, reportMissing } from '../help.ts'

/** `meadow get` prints a document. */
export const getCommand: Command = {
  name: 'get',
  description: 'Read a document: nodes, wires, typed-in values, groups. --json prints all of it.',
  arguments: { '<document>': 'The document.' },
  options: partsOptions('readDocument'),
  reads: ['readDocument'],
  examples: [
    'meadow get Tower',
    'meadow get Facades/Tower --json > tower.json',
    'meadow get Tower --nodes name:Height --fields updatedAt,nodes',
    `meadow get Tower --jq '.nodes[] | select(.name == "Number Slider") | .nickName'`,
  ],
  run: get,
}

async function get(
  { openMeadow, output, options: { csv }, signal, stdout }: CommandContext,
  name: string,
  parts: PartsOptions,
): Promise<void> {
  if (parts.fields && csv) throw new UsageFailure('Fields are no table: use --json.')
  const meadow = await openMeadow()
  const document = await meadow.readDocument(await findDocument(meadow, name, signal), { ...parts, signal })
  reportMissing(output, document.notFound)
  if (parts.fields) return output.data(document, () => JSON.stringify(document))
  const table = {
    columns: ['node', 'component', 'inputs', 'outputs', 'wires in', 'id'],
    rows: Object.values(document.nodes).map((node) => [
      node.nickName || node.name,
      node.name,
      Object.keys(node.inputs).length,
      Object.keys(node.outputs).length,
      Object.values(node.sources).reduce((sum, sources) => sum + sources.length, 0),
      node.instanceId,
    ]),
  }
  await output.data(document, {
    table,
    text: () =>
      [...describe(document), '', formatTable(table, stdout.isTTY ? stdout.columns : undefined)].join('\n'),
  })
}

function describe({ id, name, createdAt, updatedAt, nodes, groups }: Document): string[] {
  return [
    `name     ${printable(name)}`,
    `id       ${id}`,
    `created  ${createdAt}`,
    `changed  ${updatedAt}`,
    `nodes    ${Object.keys(nodes).length}`,
    `groups   ${groups.map(({ label }) => printable(label) || '(no label)').join(', ') || 'none'}`,
  ]
}
