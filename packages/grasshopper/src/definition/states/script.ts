import { findScript, type Node, type ScriptLanguage, type ScriptState } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem, ensureChunk, setItem, setItems } from '../../archive/tree/edit.ts'
import { findChunk, findItem, listItems } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toList, toText, toWindowsText } from '../model/coerce.ts'
import type { DefinitionObject } from '../model/definition-object.ts'
import type { Reading } from '../model/reading.ts'
import { findText, unifyLineEnds } from '../model/text.ts'
import type { Change } from './change.ts'
import type { Parts, StateKind } from './state-kind.ts'

/** Scripts are recognised by their class or their items. Each generation stores the source differently. */
export const SCRIPT: StateKind = { kind: 'script', classes: [], write: writeScript }

// Reading.

/** The state of a script component; undefined for other objects. */
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

// Writing.

function writeScript({ container }: DefinitionObject, { member }: Change): void {
  const script = findChunk(container, 'Script')
  if (script) {
    writeScript8(script, member)
    member('takesSource', (value) => setItem(container, 'bool', 'UsingScriptInputParam', value === true))
    return
  }
  member('source', (text) => {
    const name = findItem(container, 'ScriptSource', 'string') === undefined ? 'CodeInput' : 'ScriptSource'
    setItem(container, 'string', name, toWindowsText(text))
  })
  member('imports', (text) => setItem(container, 'string', 'UsingSource', toWindowsText(text)))
  member('members', (text) => setItem(container, 'string', 'AdditionalSource', toWindowsText(text)))
  member('references', (paths) => {
    const texts = toList(paths).map(toText)
    setItems(container, 'string', 'Reference', texts)
    setItem(container, 'int32', 'ReferenceCount', texts.length)
  })
}

/** Rhino 8 stores base64, and keeps the line ends of the text. */
function writeScript8(script: Chunk, member: Change['member']): void {
  member('source', (text) => {
    const earlier = Buffer.from(findText(script, 'Text') ?? '', 'base64').toString('utf8')
    const ended = earlier.includes('\r\n') ? toWindowsText(text) : toText(text)
    setItem(script, 'string', 'Text', Buffer.from(ended).toString('base64'))
  })
  member('languageSpec', (text) => {
    const [taxon = '', ...version] = toText(text).split(' ')
    const spec = ensureChunk(script, 'LanguageSpec')
    setItem(spec, 'string', 'Taxon', taxon)
    setItem(spec, 'string', 'Version', version.join(' '))
  })
}

// Creating.

/** The script components of Rhino 8 with their languages; the last one can hold any language. */
const RHINO_8 = new Map([
  ['719467e6-7cf5-4848-99b0-c5dd57e5442c', { taxon: '*.*.python', version: '3.*' }],
  ['97aa26ef-88ae-4ba6-98a6-ed6ddeca11d1', { taxon: '*.*.python', version: '2.*' }],
  ['b6ba1144-02d6-4a2d-b53c-ec62e290eeb7', { taxon: '*.*.csharp', version: '*.*' }],
  ['c9b2d725-6f87-4b07-af90-bd9aefef68eb', { taxon: '*.*.python', version: '3.*' }],
])

/** Whether the component exists since Rhino 8. */
export function isOfRhino8(classId: string): boolean {
  return RHINO_8.has(classId)
}

/** The content of a new script component's Container. The source is written over it. */
export function listScriptParts(node: Node): Parts {
  const { templateId } = node
  if (!findScript(templateId)) return []
  const language = RHINO_8.get(templateId)
  if (language) return listRhino8(node, language)
  const stores = node.state?.takesSource !== true
  if (templateId === CLASS.ghPython) {
    return [
      ...(stores ? [createItem('string', 'CodeInput', '')] : []),
      createItem('bool', 'HideInput', true),
      createItem('bool', 'HideOutput', !hasStandardOutput(node)),
      createItem('bool', 'IsAdvancedMode', false),
      createItem('bool', 'MarshalOutGuids', true),
    ]
  }
  return [
    createItem('string', 'AdditionalSource', ''),
    createItem('bool', 'OutParameter', hasStandardOutput(node)),
    createItem('int32', 'ReferenceCount', 0),
    ...(stores ? [createItem('string', 'ScriptSource', '')] : []),
    createItem('string', 'UsingSource', ''),
  ]
}

function listRhino8(node: Node, { taxon, version }: { taxon: string; version: string }): Parts {
  const marshalling = ['MarshGuids', 'MarshInputs', 'MarshOutputs']
  const unused = ['UsingLibraryInputParam', 'UsingScriptOutputParam']
  return [
    createItem('bool', 'GraftStandardOutputLines', true),
    ...marshalling.map((name) => createItem('bool', name, true)),
    createItem('int32', 'ScriptComponentVersion', 3),
    createItem('string', 'Tooltip', ''),
    ...unused.map((name) => createItem('bool', name, false)),
    createItem('bool', 'UsingScriptInputParam', node.state?.takesSource === true),
    createItem('bool', 'UsingStandardOutputParam', hasStandardOutput(node)),
    createChunk('Script', [
      ...marshalling.map((name) => createItem('bool', name, true)),
      createItem('string', 'Text', ''),
      createItem('string', 'Title', node.nickName.toWellFormed()),
      createChunk('LanguageSpec', [
        createItem('string', 'Taxon', taxon),
        createItem('string', 'Version', version),
      ]),
    ]),
  ]
}

/** Whether the first output is `out`, the standard output of a script. */
function hasStandardOutput({ outputs, ports }: Node): boolean {
  const [first = ''] = Object.keys(outputs)
  return ports[first]?.name === 'out'
}
