import { Fault } from './fault.ts'

const NOT_IN_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** Text between tags. Line ends are CRLF as in the whole file; readers turn them into LF, but not `&#xD;`. */
export function escapeText(text: string): string {
  checkCharacters(text)
  return text.replace(/[&<>\r\n]/g, (character) => TEXT_ESCAPES[character]!)
}

export function escapeAttribute(text: string): string {
  checkCharacters(text)
  return text.replace(/[&<>"\t\r\n]/g, (character) => ATTRIBUTE_ESCAPES[character]!)
}

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const TEXT_ESCAPES: Record<string, string> = { ...ESCAPES, '\n': '\r\n' }
const ATTRIBUTE_ESCAPES: Record<string, string> = { ...ESCAPES, '"': '&quot;', '\t': '&#x9;', '\n': '&#xA;' }

function checkCharacters(text: string): void {
  const found = NOT_IN_XML.exec(text)?.[0]
  if (found === undefined) return
  const number = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  throw new Fault('malformed', `XML cannot hold the character U+${number}; the binary form can`)
}
