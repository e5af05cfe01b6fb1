import { foldName } from '@meadow/contract/web'

/** Saves a file that this page made, as if it had been downloaded. */
export function download(name: string, parts: BlobPart[], type = ''): void {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A ZIP archive that this page makes. */
interface Archive {
  /** Adds a file, which gets a number behind its name when the archive has one of that name. */
  add(name: string, bytes: Uint8Array): void
  /** Saves it, if it has files. */
  save(name: string): void
}

/** Opens an empty archive, whose files are stored as they are: definitions and models are compressed themselves. */
export async function openArchive(): Promise<Archive> {
  const { Zip, ZipPassThrough } = await import('fflate')
  const parts: Uint8Array<ArrayBuffer>[] = []
  const names = new Set<string>()
  const zip = new Zip((error, part) => {
    if (error) throw error
    parts.push(part as Uint8Array<ArrayBuffer>)
  })
  const findFreeName = (name: string) => {
    const [, stem, extension] = /^(.*?)(\.\w+)?$/s.exec(name)!
    let free = name
    // File systems do not tell apart names that differ in case or in how their letters are composed.
    for (let number = 2; names.has(foldName(free)); number++) free = `${stem} (${number})${extension ?? ''}`
    names.add(foldName(free))
    return free
  }
  return {
    add(name, bytes) {
      const file = new ZipPassThrough(findFreeName(name))
      zip.add(file)
      file.push(bytes, true)
    },
    save(name) {
      zip.end()
      if (names.size > 0) download(name, parts, 'application/zip')
    },
  }
}

export const CSV = 'text/csv;charset=utf-8'

/** Returns a text of the user as part of a file's name, as far as file systems take it. */
export const toFileName = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80) || 'values'
