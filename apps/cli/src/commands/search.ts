import type { FoundDocument, Meadow } from '@meadow/client'
import type { Command, CommandContext } from '../command-context.ts'
import { findFolder } from '../find/find-folder.ts'
import { parameterOf } from '../help.ts'

interface SearchOptions {
  in?: string
  all?: true
}

/** `meadow search` finds documents by name. */
export const searchCommand: Command = {
  name: 'search',
  description: "Search the team's documents by name. Without a text: all, those that changed last first.",
  arguments: { '[text]': parameterOf('searchDocuments', 'q').description },
  options: {
    '--in <folder>': 'Only in this folder and everything inside it.',
    '--all': 'All documents, also beyond the 50 of one search: reads every folder.',
  },
  reads: ['searchDocuments'],
  examples: [
    'meadow search tower',
    'meadow search --in Facades --all --csv > documents.csv',
    "meadow search tower --jq '.documents[].id'",
  ],
  run: search,
}

async function search(
  { openMeadow, output, signal }: CommandContext,
  text: string | undefined,
  options: SearchOptions,
): Promise<void> {
  const meadow = await openMeadow()
  const folderId = options.in === undefined ? undefined : (await findFolder(meadow, options.in, signal)).id
  const found = await meadow.searchDocuments({
    ...(text !== undefined && { q: text }),
    ...(folderId !== undefined && { folderId }),
    signal,
  })
  const { documents, truncated } =
    options.all && found.truncated
      ? { documents: await findAll(meadow, text ?? '', folderId, signal), truncated: false }
      : found
  await output.data(
    { documents, truncated },
    {
      table: {
        columns: ['name', 'folder', 'changed', 'visibility', 'id'],
        rows: documents.map(({ name, isRoot, folder, updatedAt, visibility, id }) => [
          name,
          isRoot ? null : folder.name,
          updatedAt,
          visibility,
          id,
        ]),
      },
    },
  )
  if (truncated) output.warning(`More than ${documents.length} documents match: --all lists all of them.`)
}

/** Finds every document whose name contains the text, in the order of a search. */
async function findAll(
  meadow: Meadow,
  text: string,
  folderId: string | undefined,
  signal: AbortSignal,
): Promise<FoundDocument[]> {
  const wanted = text.toLowerCase()
  const found: FoundDocument[] = []
  for await (const { folder } of meadow.walk({ ...(folderId !== undefined && { folderId }), signal })) {
    const place = { folder: { id: folder.id, name: folder.name }, isRoot: folder.parentId === null }
    for (const document of folder.documents)
      if (document.name.toLowerCase().includes(wanted)) found.push({ ...document, ...place })
  }
  const rank = ({ name }: FoundDocument) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return found.sort((a, b) => rank(a) - rank(b) || b.updatedAt.localeCompare(a.updatedAt))
}
