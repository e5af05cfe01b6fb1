import { findFileKind } from '@meadow/contract/web'

/** A file to upload, with the folders around it, the outermost first: none unless a folder was dropped. */
export interface DroppedFile {
  file: File
  folders: readonly string[]
}

/**
 * The dropped files, also those inside of dropped folders. Hidden ones (`.name`) are left out there, as in an import.
 * Call it while the event is dispatched: afterwards the browser has taken the data away.
 */
export async function readDropped({ items, files }: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry())
  const found = entries.filter((entry) => entry !== null)
  // A browser may have files without entries, for example those of an image dragged from another page.
  if (found.length === 0) return [...files].map((file) => ({ file, folders: [] }))
  return (await Promise.all(found.map((entry) => readEntry(entry, [])))).flat()
}

async function readEntry(entry: FileSystemEntry, folders: readonly string[]): Promise<DroppedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ file, folders }]
  }
  const children = await readChildren(entry as FileSystemDirectoryEntry)
  const shown = children.filter(({ name }) => !name.startsWith('.'))
  return (await Promise.all(shown.map((child) => readEntry(child, [...folders, entry.name])))).flat()
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

/** A browser gives the children of a folder in several parts, and an empty one at the end. */
async function readChildren(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0) return children
    children.push(...part)
  }
}

const DEFINITION = /\.ghx?$/i

/** How many refused files are named. */
const NAMED = 3

/** The dropped files that can be imported, and the sentence that refuses the others. */
export function sortDropped(dropped: readonly DroppedFile[]): {
  accepted: DroppedFile[]
  refusal: string | undefined
} {
  const { accepted = [], others = [] } = Object.groupBy(dropped, ({ file }) =>
    DEFINITION.test(file.name) || findFileKind(file.name) ? 'accepted' : 'others',
  )
  return { accepted, refusal: others.length > 0 ? refuse(others) : undefined }
}

function refuse(others: readonly DroppedFile[]): string {
  const names = others.map(({ file, folders }) => [...folders, file.name].join('/'))
  const shown = names.length > NAMED + 1 ? names.slice(0, NAMED) : names
  const rest = names.length - shown.length
  const list = new Intl.ListFormat('en').format(rest > 0 ? [...shown, `${rest} others`] : shown)
  return `Only .gh, .ghx, .3dm, .ghuser, .ghcluster, .txt and .csv files can be imported. Left out: ${list}.`
}
