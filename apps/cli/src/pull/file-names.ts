/**
 * The longest name of a file or folder in bytes of UTF-8 that all common file systems accept, with room for `.part`.
 */
const MAX_BYTES = 200

/** The maximum length of an id in a name, in bytes. */
const MAX_ID_BYTES = 40

/** Names that Windows gives to devices, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i

/**
 * Returns a name that every common file system accepts, and no tool misreads: without separators, characters that
 * Windows forbids, control and invisible characters; not hidden, not a device, not `.git` under any of its names, not
 * an option of a command; at most 200 bytes with its extension. Names that fulfil this stay as they are.
 */
export const toFileName = (name: string, extension = ''): string =>
  toBaseName(name, Buffer.byteLength(extension)) + extension

/** Returns the name without its extension, for which it leaves room. */
function toBaseName(name: string, reservedBytes: number): string {
  const plain = name
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}]/gu, '_')
    .trim()
    // Windows removes dots and spaces from the end; a dot at the start hides a file, and a dash makes it an option.
    .replace(/[. ]+$/, '')
    .replace(/^[.-]/, '_')
    // `git~1` is the short name that Windows gives to `.git`.
    .replace(/^git~/i, 'git_')
  const safe = plain === '' || DEVICES.test(plain) ? `_${plain}` : plain
  return cutToBytes(safe, MAX_BYTES - reservedBytes)
}

/** Whether `toFileName` may have made a name: it is the name of a visible file in the current folder. */
export const isPlainName = (name: string): boolean => !/^$|^[.-]|^git~|[<>:"/\\|?*\p{Cc}]/iu.test(name)

/** Returns the name under which a file system that ignores case and the forms of accents finds a file. */
export const foldFileName = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/** Cuts a text, but never inside a character as people see it. */
function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  let cut = ''
  let bytes = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > maxBytes) break
    cut += segment
  }
  return cut.replace(/[. ]+$/, '')
}

/**
 * Names things side by side so that no two of them are the same file on any system. The first one keeps its name; each
 * further one of the same name gets its id. `endings` are those of the files that a thing has. `taken` has the folded
 * names of existing files, and the new ones are added to it.
 */
export function nameSiblings(
  things: readonly { id: string; name: string }[],
  taken: Set<string>,
  endings: readonly string[],
): Map<string, string> {
  const reserved = Math.max(...endings.map((ending) => Buffer.byteLength(ending)))
  const names = new Map<string, string>()
  for (const { id, name } of things) {
    const suffix = ` (${toBaseName(id, MAX_BYTES - MAX_ID_BYTES)})`
    const candidates = [toBaseName(name, reserved), toBaseName(name, reserved + suffix.length) + suffix]
    const isFree = (base: string) => endings.every((ending) => !taken.has(foldFileName(base + ending)))
    // No two things have the same id.
    const base = candidates.find(isFree) ?? candidates[1]!
    for (const ending of endings) taken.add(foldFileName(base + ending))
    names.set(id, base)
  }
  return names
}
