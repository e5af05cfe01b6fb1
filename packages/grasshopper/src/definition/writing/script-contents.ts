import { findScript, type Node } from '@meadow/document'
import type { Chunk, Item } from '../../archive/tree/archive.ts'
import { createChunk, createItem } from '../../archive/tree/edit.ts'
import { CLASS } from '../model/class-ids.ts'

type Parts = (Item | Chunk)[]

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
