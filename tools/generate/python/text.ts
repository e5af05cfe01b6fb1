/** The longest line of a docstring that is indented once, its quotes included. */
const WIDTH = 106

/** Converts a name to snake case: `readFolder` to `read_folder`, `If-None-Match` to `if_none_match`. */
export const toSnakeCase = (name: string): string =>
  name
    .replaceAll('-', '_')
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()

export const capitalise = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Writes a text or number as a literal of Python. */
export const literal = (value: unknown): string =>
  typeof value === 'boolean' ? capitalise(String(value)) : JSON.stringify(value)

export const indent = (code: string): string => code.replace(/^(?=.)/gm, '    ')

/** Writes a text as a docstring. */
export function docstring(text: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, "'")
  const lines = wrap(safe)
  return lines.length === 1 ? `"""${lines[0]}"""` : `"""${lines.join('\n')}\n"""`
}

/** Breaks a text into lines between words. Further lines of a paragraph begin with its indentation and `hanging`. */
export const wrap = (text: string, hanging = ''): string[] =>
  text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, hanging))

function wrapParagraph(paragraph: string, hanging: string): string[] {
  const indentation = /^ */.exec(paragraph)![0]
  const lines: string[] = []
  let line = ''
  for (const word of paragraph.trim().split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH - 6) {
      lines.push(line)
      line = indentation + hanging + word
    } else line = line === '' ? indentation + word : `${line} ${word}`
  }
  return [...lines, line]
}
