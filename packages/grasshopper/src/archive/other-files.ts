/** Files of other kinds that are found under the name of a definition, by how they start: what they are, and what to do. */
const KINDS: readonly [start: RegExp | readonly string[], sentence: string][] = [
  [
    /^version https:\/\/git-lfs\.github\.com\/spec\//,
    'The file is a pointer of Git LFS, and not the definition itself: get that with "git lfs pull"',
  ],
  [
    /^(?:\xef\xbb\xbf)?\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i,
    'The file is a web page, such as a page to sign in that was saved in place of the definition: download it again',
  ],
  [['504b0304', '504b0506'], 'The file is a ZIP archive: unpack it, and take the definition in it'],
  [['1f8b'], 'The file is compressed with gzip: unpack it'],
  [/^3D Geometry File Format/, 'The file is a Rhino model: give it the extension .3dm'],
  [['fffe', 'feff', '3c003f00', '3c004100'], 'The file is a text in UTF-16: save it in UTF-8'],
  [['00'.repeat(16)], 'The file begins with zeros alone, as after a crash: take it from a backup'],
]

const LONGEST_START = 4096
/** Longer texts are not read only to describe them. */
const LONGEST_JSON = 2 ** 20

/** Says what a file is that is certainly not an archive, and what to do; undefined for all other files. */
export function describeOtherFile(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, LONGEST_START)).toString('latin1')
  const hex = Buffer.from(bytes.subarray(0, 16)).toString('hex')
  const isOne = (one: RegExp | readonly string[]) =>
    one instanceof RegExp ? one.test(start) : one.some((code) => hex.startsWith(code))
  return KINDS.find(([begin]) => isOne(begin))?.[1]
}

/** Describes a file that is JSON. For files that cannot be inflated, since a deflated archive can begin like JSON. */
export function describeJson(bytes: Uint8Array): string | undefined {
  return isJson(bytes)
    ? 'The file is JSON, such as the answer of a service that was saved in place of the definition: download it again'
    : undefined
}

function isJson(bytes: Uint8Array): boolean {
  if (bytes.length > LONGEST_JSON) return false
  const text = Buffer.from(bytes).toString('utf8').trimStart()
  if (!/^[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
