import type { Folder, Meadow } from '@meadow/client'
import { printable } from '@meadow/command'
import type { Command, CommandContext } from '../command-context.ts'
import { findFolder } from '../find/find-folder.ts'

/** A folder with everything inside it. */
interface FolderTree {
  id: string
  name: string
  folders: FolderTree[]
  documents: Folder['documents']
}

/** `meadow tree` lists everything inside a folder. */
export const treeCommand: Command = {
  name: 'tree',
  description: 'Show everything inside a folder, at any depth.',
  arguments: { '[folder]': 'The folder; the root folder unless named.' },
  options: { '--folders': 'Show folders only.', '--ids': 'Show ids too.' },
  reads: ['readFolder', 'readTeam'],
  examples: ['meadow tree', 'meadow tree Facades --ids', 'meadow tree --csv > documents.csv'],
  run: tree,
}

async function tree(
  context: CommandContext,
  name: string | undefined,
  options: { folders?: true; ids?: true },
): Promise<void> {
  const { output, signal } = context
  const meadow = await context.openMeadow()
  const start = await findFolder(meadow, name, signal)
  const { tree, rows } = await readTree(meadow, start, signal)
  const title = start.parentId === null ? await findTeamName(meadow, signal) : start.name
  await output.data(tree, {
    table: { columns: ['folder', 'name', 'changed', 'visibility', 'id'], rows },
    text: () =>
      [output.style('bold', printable(title)), ...drawBranches(tree, options, '', output)].join('\n'),
  })
}

async function readTree(meadow: Meadow, { id, name }: Folder, signal: AbortSignal) {
  const tree: FolderTree = { id, name, folders: [], documents: [] }
  const byId = new Map([[id, tree]])
  const rows: (string | null)[][] = []
  for await (const { folder, path } of meadow.walk({ folderId: id, signal })) {
    const visited = byId.get(folder.id)
    // The folder was moved during the walk.
    if (!visited) continue
    visited.documents = folder.documents
    visited.folders = folder.folders.map((child) => ({ ...child, folders: [], documents: [] }))
    for (const child of visited.folders) byId.set(child.id, child)
    const place = path.join('/')
    rows.push(...folder.documents.map((one) => [place, one.name, one.updatedAt, one.visibility, one.id]))
  }
  return { tree, rows }
}

/** Resolves with the name of the team, since the name of the root folder itself is not meant to be shown. */
async function findTeamName(meadow: Meadow, signal: AbortSignal): Promise<string> {
  try {
    return (await meadow.readTeam({ signal })).name
  } catch {
    return '/'
  }
}

function drawBranches(
  { folders, documents }: FolderTree,
  options: { folders?: true; ids?: true },
  indent: string,
  output: CommandContext['output'],
): string[] {
  const label = (name: string, id: string) =>
    printable(name) + (options.ids ? `  ${output.style('dim', id)}` : '')
  const branches = [
    ...folders.map((folder) => ({
      text: `${output.style('bold', label(folder.name, folder.id))}`,
      below: (next: string) => drawBranches(folder, options, next, output),
    })),
    ...(options.folders ? [] : documents).map(({ name, id }) => ({ text: label(name, id), below: () => [] })),
  ]
  return branches.flatMap(({ text, below }, index) => {
    const isLast = index === branches.length - 1
    return [`${indent}${isLast ? '└── ' : '├── '}${text}`, ...below(`${indent}${isLast ? '    ' : '│   '}`)]
  })
}
