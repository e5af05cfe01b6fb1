import { findScript, type ScriptLanguage, type ScriptState } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, listItems } from '../../../archive/tree/find.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findText, unifyLineEnds } from '../../model/text.ts'

/** The source of a script component, which each generation stores differently. */
export function findScriptState(object: DefinitionObject): ScriptState | undefined {
  const { classId, container } = object
  const kind = findScript(classId) ?? findUnlistedScript(object)
  if (!kind) return undefined
  const script = findChunk(container, 'Script')
  if (script) return readScript8(script, kind.language)
  const body = findText(container, 'CodeInput') ?? findText(container, 'ScriptSource') ?? ''
  const imports = findText(container, 'UsingSource')
  const members = findText(container, 'AdditionalSource')
  const references = listItems(container, 'Reference', 'string').map((path) => path.toWellFormed())
  return {
    kind: 'script',
    language: kind.language ?? 'unknown',
    source: unifyLineEnds(body),
    ...(imports ? { imports: unifyLineEnds(imports) } : {}),
    ...(members ? { members: unifyLineEnds(members) } : {}),
    ...(references.length > 0 ? { references } : {}),
  }
}

/** Scripts of earlier versions and of plug-ins that store their source like those of Grasshopper. */
function findUnlistedScript({ name, container }: DefinitionObject): { language: ScriptLanguage } | undefined {
  if (findText(container, 'CodeInput') !== undefined) return { language: 'python2' }
  if (findText(container, 'ScriptSource') === undefined) return undefined
  return { language: /\bVB\b/i.test(name) ? 'vb' : /C#/i.test(name) ? 'csharp' : 'unknown' }
}

/** Rhino 8: the source is base64 of UTF-8, and a component can hold any language. */
function readScript8(script: Chunk, usual: ScriptLanguage | undefined): ScriptState {
  const spec = findChunk(script, 'LanguageSpec')
  const taxon = (spec && findText(spec, 'Taxon')) ?? ''
  const version = (spec && findText(spec, 'Version')) ?? ''
  return {
    kind: 'script',
    language: findLanguage(taxon, version) ?? usual ?? 'unknown',
    ...(taxon ? { languageSpec: `${taxon} ${version}`.trim() } : {}),
    source: unifyLineEnds(Buffer.from(findText(script, 'Text') ?? '', 'base64').toString('utf8')),
  }
}

/** From `mcneel.pythonnet.python` and `3.*`: the last word is the language. */
function findLanguage(taxon: string, version: string): ScriptLanguage | undefined {
  if (/python$/i.test(taxon))
    return /ironpython/i.test(taxon) || version.startsWith('2') ? 'python2' : 'python3'
  if (/csharp$/i.test(taxon)) return 'csharp'
  return /\bvb$/i.test(taxon) ? 'vb' : undefined
}
