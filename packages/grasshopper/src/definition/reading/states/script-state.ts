import { findScript, type ScriptLanguage, type ScriptState } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, findItem, listItems } from '../../../archive/tree/find.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findText, unifyLineEnds } from '../../model/text.ts'
import type { Reading } from '../values/value-context.ts'

/** The source of a script component, which each generation stores differently. */
export function findScriptState(object: DefinitionObject, reading: Reading): ScriptState | undefined {
  const kind = findKind(object, reading)
  if (!kind) return undefined
  const state = readSource(object, kind.language)
  return reading !== 1 && takesSource(object) ? { ...state, takesSource: true } : state
}

type Language = { language: ScriptLanguage | undefined }

/** IronPython 2 of Rhino 8, which the first reading does not know. */
const IRON_PYTHON = '97aa26ef-88ae-4ba6-98a6-ed6ddeca11d1'

function findKind(object: DefinitionObject, reading: Reading): Language | undefined {
  const { classId } = object
  if (reading === 1)
    return classId === IRON_PYTHON
      ? findUnlistedScript(object)
      : (findScript(classId) ?? findUnlistedScript(object))
  return findScript(classId) ?? findUnlistedScript(object) ?? findScriptOfRhino8(object)
}

/** Recognises a component of any plug-in that stores its source like those of Rhino 8. */
function findScriptOfRhino8({ container }: DefinitionObject): Language | undefined {
  const script = findChunk(container, 'Script')
  const isScript = script && findChunk(script, 'LanguageSpec') && findText(script, 'Text') !== undefined
  return isScript ? { language: undefined } : undefined
}

/** Whether the source comes through the first input: if it is shown, or the component stores no source. */
function takesSource({ container, ports }: DefinitionObject): boolean {
  if (findItem(container, 'UsingScriptInputParam', 'bool')) return true
  const storesSource = ['CodeInput', 'ScriptSource'].some((name) => findText(container, name) !== undefined)
  const [first] = ports.inputs
  if (storesSource || findChunk(container, 'Script') || !first) return false
  return /^code$/i.test(findText(first.chunk, 'Name') ?? '')
}

function readSource({ container }: DefinitionObject, language: ScriptLanguage | undefined): ScriptState {
  const script = findChunk(container, 'Script')
  if (script) return readScript8(script, language)
  const body = findText(container, 'CodeInput') ?? findText(container, 'ScriptSource') ?? ''
  const imports = findText(container, 'UsingSource')
  const members = findText(container, 'AdditionalSource')
  const references = listItems(container, 'Reference', 'string').map((path) => path.toWellFormed())
  return {
    kind: 'script',
    language: language ?? 'unknown',
    source: unifyLineEnds(body),
    ...(imports ? { imports: unifyLineEnds(imports) } : {}),
    ...(members ? { members: unifyLineEnds(members) } : {}),
    ...(references.length > 0 ? { references } : {}),
  }
}

/** Recognises scripts of earlier versions, and of plug-ins that store their source like Grasshopper. */
function findUnlistedScript({ name, container }: DefinitionObject): { language: ScriptLanguage } | undefined {
  if (findText(container, 'CodeInput') !== undefined) return { language: 'python2' }
  if (findText(container, 'ScriptSource') === undefined) return undefined
  return { language: /\bVB\b/i.test(name) ? 'vb' : /C#/i.test(name) ? 'csharp' : 'unknown' }
}

/** Reads a script of Rhino 8, whose source is base64 of UTF-8. A component can hold any language. */
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

/** Finds the language of `mcneel.pythonnet.python` and `3.*`, which the last word of the taxon names. */
function findLanguage(taxon: string, version: string): ScriptLanguage | undefined {
  if (/python$/i.test(taxon))
    return /ironpython/i.test(taxon) || version.startsWith('2') ? 'python2' : 'python3'
  if (/csharp$/i.test(taxon)) return 'csharp'
  return /\bvb$/i.test(taxon) ? 'vb' : undefined
}
