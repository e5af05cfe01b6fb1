/** What an RFC 8187 value may hold as it is; `encodeURIComponent` leaves these four as well, which it may not. */
const LEFT_UNENCODED = /['()*]/g

/** What is written into a quoted text as it is. Without the percent sign, which some clients decode. */
const PLAIN = /^[ !#-$&-.0-[\]-~]*$/

/**
 * `Content-Disposition` for a file to be kept under this name, whatever letters it has (RFC 6266): a name in plain
 * letters for old clients, and the true one where that is another.
 */
export function attachment(fileName: string): string {
  const name = fileName.toWellFormed()
  if (PLAIN.test(name)) return `attachment; filename="${name}"`
  return `attachment; filename="${toPlain(name)}"; filename*=UTF-8''${encode(name)}`
}

const toPlain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^ !#-$&-.0-[\]-~]+/g, '_')

const encode = (name: string): string =>
  encodeURIComponent(name).replace(
    LEFT_UNENCODED,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
