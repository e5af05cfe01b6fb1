/** Saves a file that this page made, as if it had been downloaded. */
export function download(name: string, parts: BlobPart[], type = ''): void {
  const url = URL.createObjectURL(new Blob(parts, { type }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}

export const CSV = 'text/csv;charset=utf-8'

/** Returns a text of the user as part of a file's name, as far as file systems take it. */
export const toFileName = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80) || 'values'
