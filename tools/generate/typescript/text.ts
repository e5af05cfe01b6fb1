import { GENERATED } from '../output.ts'

const WIDTH = 110

/** The first lines of a generated file. */
export const HEADER = `// ${GENERATED}\n`

/** Writes a doc comment, wrapped, with `indent` before each line; nothing for an empty text. */
export function comment(text: string | undefined, indent = ''): string {
  if (text === undefined || text === '') return ''
  const safe = text.replaceAll('*/', '*\\/')
  const line = `${indent}/** ${safe} */`
  if (!safe.includes('\n') && line.length <= WIDTH) return `${line}\n`
  const lines = safe
    .split('\n')
    .flatMap((paragraph) => (paragraph === '' ? [''] : wrap(paragraph, WIDTH - indent.length - 3)))
  return `${indent}/**\n${lines.map((each) => `${indent} * ${each}`.trimEnd()).join('\n')}\n${indent} */\n`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Writes a string as a literal of TypeScript. */
const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** Writes a key of an object, quoted where it is not a name. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name))

/** Writes a value of JSON as TypeScript, on one line. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${key(name)}: ${literal(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

export const capitalise = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
