import type { Node } from '@meadow/contract'

/** A script as it is searched. */
export interface ScriptText {
  language: string
  /** Imports, source, members and references, with line feeds. */
  text: string
  /** Whether it was longer than `MAX_SCRIPT_LENGTH`, and was cut. */
  isCut: boolean
}

/** The length up to which scripts are searched, in UTF-16 code units. The longest real one has 90,000. */
const MAX_SCRIPT_LENGTH = 1_000_000

/** The text of a script node; undefined for other nodes and for scripts without a text. */
export function textOfScript(node: Pick<Node, 'state' | 'inputs' | 'values'>): ScriptText | undefined {
  const { state } = node
  if (state?.kind !== 'script') return undefined
  const { language, imports, source, members, references, takesSource } = state
  const parts = [
    imports,
    ...(takesSource === true ? listLiteralSource(node) : []),
    source,
    members,
    ...(Array.isArray(references) ? references : []),
  ]
  const whole = parts
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .toWellFormed()
  if (whole === '') return undefined
  const isCut = whole.length > MAX_SCRIPT_LENGTH
  return {
    language: typeof language === 'string' ? language : 'unknown',
    text: isCut ? whole.slice(0, MAX_SCRIPT_LENGTH).toWellFormed() : whole,
    isCut,
  }
}

/** The source of a script that takes it through its first input, as far as it was typed in there. */
function listLiteralSource({ inputs, values }: Pick<Node, 'inputs' | 'values'>): unknown[] {
  const port = Object.keys(inputs).find((id) => inputs[id] === 0)
  const branches = (port === undefined ? undefined : values[port]?.branches) ?? []
  return branches.flatMap((branch) => branch.values).map((value) => value?.value)
}

/** Texts are compared in this form, in the index and in queries. */
export const foldScript = (text: string): string => text.toLowerCase()

/** The most libraries of a script that are listed: more are of no use to anyone. */
const MAX_LIBRARIES = 200
const MAX_LIBRARY_LENGTH = 200

const NAME = '[\\p{L}_][\\p{L}\\p{N}_.]{0,199}'
const PYTHON_IMPORT = /^[ \t]*import[ \t]+([^\n#;]{1,1000})/gmu
const PYTHON_FROM = new RegExp(`^[ \\t]*from[ \\t]+(${NAME})[ \\t]+import\\b`, 'gmu')
const PYTHON_PACKAGES = /^[ \t]*#[ \t]*(?:r|requirements)[ \t]*:[ \t]*([^\n]{1,1000})/gmu
const PYTHON_ASSEMBLY = /\bAddReference(?:ToFile|ToFileAndPath|ByName)?\(\s*r?["']([^"'\n]{1,200})["']/gu
const CSHARP_USING = new RegExp(
  `^[ \\t]*(?:global[ \\t]+)?using[ \\t]+(?:static[ \\t]+)?(?:[\\p{L}_][\\p{L}\\p{N}_]{0,99}[ \\t]*=[ \\t]*)?(${NAME})[ \\t]*;`,
  'gmu',
)
const CSHARP_REFERENCE = /^[ \t]*#r[ \t]+"(?:nuget:[ \t]*)?([^",\n]{1,200})/gmu
const VB_IMPORTS = new RegExp(
  `^[ \\t]*imports[ \\t]+(?:[\\p{L}_][\\p{L}\\p{N}_]{0,99}[ \\t]*=[ \\t]*)?(${NAME})`,
  'gimu',
)

/** The libraries that a script imports or refers to, as written there, each once: `numpy`, `Rhino.Geometry`. */
export function listScriptLibraries({ language, text }: ScriptText): string[] {
  const found =
    language === 'csharp' ? listCsharp(text) : language === 'vb' ? first(text, VB_IMPORTS) : listPython(text)
  const names = found
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.length <= MAX_LIBRARY_LENGTH)
  const byKey = new Map<string, string>()
  for (const name of names) if (!byKey.has(name.toLowerCase())) byKey.set(name.toLowerCase(), name)
  return [...byKey.values()].slice(0, MAX_LIBRARIES)
}

const listCsharp = (text: string): string[] => [
  ...first(text, CSHARP_USING),
  ...first(text, CSHARP_REFERENCE),
]

function listPython(text: string): string[] {
  const imported = first(text, PYTHON_IMPORT).flatMap((names) => names.split(','))
  const packages = first(text, PYTHON_PACKAGES).flatMap((names) => names.split(','))
  return [
    ...imported
      .map((name) => name.trim().split(/\s/)[0] ?? '')
      .filter((name) => /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name)),
    ...first(text, PYTHON_FROM),
    // `numpy==2.1` asks for numpy.
    ...packages.map((name) => name.trim().split(/[\s=<>!~[]/)[0] ?? ''),
    ...first(text, PYTHON_ASSEMBLY),
  ]
}

const first = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1]!)
