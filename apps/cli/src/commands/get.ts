import type { Document } from '@meadow/client'
import { Command } from 'commander'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { findDocument } from '../find/find-document.ts'
import { readsEndpoints, withExamples } from '../help.ts'
import { formatTable, printable } from '../output/table.ts'

/** `meadow get` prints a document. */
export const getCommand = (start: StartCommand): Command =>
  withExamples(
    readsEndpoints(
      new Command('get')
        .description('Read a document: nodes, wires, typed-in values, groups. --json prints all of it.')
        .argument('<document>', 'The document.')
        .action(start(get)),
      'readDocument',
    ),
    'meadow get Tower',
    'meadow get Facades/Tower --json > tower.json',
    `meadow get Tower --jq '.nodes[] | select(.name == "Number Slider") | .nickName'`,
  )

async function get({ openMeadow, output, signal, stdout }: CommandContext, name: string): Promise<void> {
  const meadow = await openMeadow()
  const document = await meadow.readDocument(await findDocument(meadow, name, signal), { signal })
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
  await output.answer({
    json: document,
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
