import type { Command, CommandContext } from '../command-context.ts'
import { findFolder } from '../find/find-folder.ts'

/** `meadow ls` lists the documents and folders directly in a folder. */
export const lsCommand: Command = {
  name: 'ls',
  description: 'List what is directly in a folder: its folders, then its documents.',
  arguments: { '[folder]': 'The folder; the root folder unless named.' },
  reads: ['readFolder'],
  examples: ['meadow ls', 'meadow ls Facades/North', "meadow ls --jq '.documents[].id'"],
  run: ls,
}

async function ls({ openMeadow, output, signal }: CommandContext, name: string | undefined): Promise<void> {
  const folder = await findFolder(await openMeadow(), name, signal)
  await output.data(folder, {
    table: {
      columns: ['name', 'kind', 'changed', 'visibility', 'id'],
      rows: [
        ...folder.folders.map(({ id, name }) => [name, 'folder', null, null, id]),
        ...folder.documents.map((one) => [one.name, 'document', one.updatedAt, one.visibility, one.id]),
      ],
    },
  })
}
