import type { FoundDocument, Meadow, SearchDocumentsResult } from '@meadow/client'
import { type Output, printable, UsageFailure } from '@meadow/command'
import type { Command, CommandContext } from '../command-context.ts'
import { findFolder } from '../find/find-folder.ts'
import { parameterOf } from '../help.ts'

interface SearchOptions {
  in?: string
  uses?: string
  all?: true
}

/** `meadow search` finds documents by name, or by what they use. */
export const searchCommand: Command = {
  name: 'search',
  description:
    "Search the team's documents by name, or by what they use. Without a text: all, those that changed last first.",
  arguments: { '[text]': parameterOf('searchDocuments', 'q').description },
  options: {
    '--in <folder>': 'Only in this folder and everything inside it.',
    '--uses <component>': parameterOf('searchDocuments', 'uses').description,
    '--all': 'All documents, also beyond the 50 of one search: reads every folder.',
  },
  reads: ['searchDocuments'],
  examples: [
    'meadow search tower',
    'meadow search --in Facades --all --csv > documents.csv',
    'meadow search --uses Kangaroo',
    "meadow search tower --jq '.documents[].id'",
  ],
  run: search,
}

async function search(
  { openMeadow, output, signal }: CommandContext,
  text: string | undefined,
  options: SearchOptions,
): Promise<void> {
  const { uses } = options
  if (options.all && uses !== undefined)
    throw new UsageFailure(
      '--all lists documents by name: with --uses, narrow the search with a text or --in.',
    )
  const meadow = await openMeadow()
  const folderId = options.in === undefined ? undefined : (await findFolder(meadow, options.in, signal)).id
  const found = await meadow.searchDocuments({
    ...(text !== undefined && { q: text }),
    ...(folderId !== undefined && { folderId }),
    ...(uses !== undefined && { uses }),
    signal,
  })
  const { documents, truncated } =
    options.all && found.truncated
      ? { documents: await findAll(meadow, text ?? '', folderId, signal), truncated: false }
      : found
  await output.data(
    { ...found, documents, truncated },
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
  if (truncated) {
    const remedy = uses === undefined ? '--all lists all of them' : 'narrow the search with a text or --in'
    output.warning(`More than ${documents.length} documents match: ${remedy}.`)
  }
  reportUses(output, found)
}

/** Says what `--uses` stood for, and for how many documents the answer is not known. */
function reportUses(output: Output, { uses, index }: SearchDocumentsResult): void {
  if (!uses || !index) return
  const names = uses.map(({ kind, name, id }) => `${kind} ${printable(name)} (${printable(id)})`)
  output.message(`Meant: ${names.join(', ') || 'no component or plug-in that a document uses'}.`)
  const unknown = index.pending + index.unread + index.partial
  if (unknown > 0)
    output.warning(
      `Others may use it too: ${index.pending} documents are not indexed yet, ${index.unread} could not be read, ${index.partial} are known in part.`,
    )
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
