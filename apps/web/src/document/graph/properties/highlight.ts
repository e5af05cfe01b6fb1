import type { ScriptLanguage } from '@meadow/document'
import csharp from 'highlight.js/lib/languages/csharp'
import python from 'highlight.js/lib/languages/python'
import vbnet from 'highlight.js/lib/languages/vbnet'
import { createLowlight } from 'lowlight'

const lowlight = createLowlight({ csharp, python, vbnet })

/** The grammars by language. The grammar of Python covers Python 2. */
const GRAMMARS: Partial<Record<ScriptLanguage, string>> = {
  python2: 'python',
  python3: 'python',
  csharp: 'csharp',
  vb: 'vbnet',
}

/** The length of the longest source that is shown with colours, in characters. */
const MAX_LENGTH = 200_000

/** A part of a source, and what it is in the terms of highlight.js: `keyword`, `title function_`. */
export interface Token {
  text: string
  scope: string | undefined
}

type Tree = ReturnType<typeof lowlight.highlight>['children'][number]

/** The tokens of a source; undefined for a language without a grammar and a source that is too long. */
export function highlight(language: ScriptLanguage, source: string): Token[] | undefined {
  const grammar = GRAMMARS[language]
  if (grammar === undefined || source.length > MAX_LENGTH) return undefined
  return lowlight.highlight(grammar, source).children.flatMap((node) => flatten(node, undefined))
}

/** The innermost scope determines the look. */
function flatten(node: Tree, scope: string | undefined): Token[] {
  if (node.type === 'text') return [{ text: node.value, scope }]
  if (node.type !== 'element') return []
  const own = [node.properties.className].flat().join(' ').replace('hljs-', '')
  return node.children.flatMap((child) => flatten(child as Tree, own))
}
