import { Command } from 'commander'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { findFolder } from '../find/find-folder.ts'
import { readsEndpoints, withExamples } from '../help.ts'

/** `meadow ls` lists the documents and folders directly in a folder. */
export const lsCommand = (start: StartCommand): Command =>
  withExamples(
    readsEndpoints(
      new Command('ls')
        .description('List what is directly in a folder: its folders, then its documents.')
        .argument('[folder]', 'The folder; the root folder unless named.')
        .action(start(ls)),
      'readFolder',
    ),
    'meadow ls',
    'meadow ls Facades/North',
    "meadow ls --jq '.documents[].id'",
  )

async function ls({ openMeadow, output, signal }: CommandContext, name: string | undefined): Promise<void> {
  const folder = await findFolder(await openMeadow(), name, signal)
  await output.answer({
    json: folder,
    table: {
      columns: ['name', 'kind', 'changed', 'visibility', 'id'],
      rows: [
        ...folder.folders.map(({ id, name }) => [name, 'folder', null, null, id]),
        ...folder.documents.map((one) => [one.name, 'document', one.updatedAt, one.visibility, one.id]),
      ],
    },
  })
}
