import {
  findCanvasObject,
  findComponent,
  findComponentName,
  findParameterType,
  findScript,
  type Node,
  type NodeState,
  type PluginLibrary,
} from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem, ensureChunk, setItem, sortItems } from '../../archive/tree/edit.ts'
import { findItem, listChunks } from '../../archive/tree/find.ts'
import { GrasshopperError } from '../../archive/tree/grasshopper-error.ts'
import { CLASS } from '../model/class-ids.ts'
import { isGuid, toText } from '../model/coerce.ts'
import { type DefinitionObject, readObject } from '../model/definition-object.ts'
import { findPlacedObject } from '../model/placed-object.ts'
import { listScriptParts } from '../states/script.ts'
import { listClassParts } from './class-contents.ts'
import { cloneObject, findExemplar, hasHiddenContent } from './clone-object.ts'
import { createAttributes, findBounds } from './layout.ts'
import { listPortParts } from './port-chunks.ts'
import { describeNode, type Target, type Warn } from './write-context.ts'

/** Whether an object can be created: its class comes with Grasshopper, occurs in the original, or names its plug-in. */
export function canCreateObject(node: Node, { objectsByClass }: Target): boolean {
  const { templateId } = node
  if (!isGuid(templateId) || templateId === CLASS.group) return false
  return (
    isStandard(templateId) ||
    objectsByClass.has(templateId) ||
    findLibraryId(node) !== undefined ||
    readPlaced(node) !== undefined
  )
}

/**
 * Creates the object of a new node. If its class is not fully known, it is a copy of a similar object of the original.
 * Wires, values and state are written afterwards, as differences from the new object.
 */
export function createObject(node: Node, target: Target, warn: Warn): DefinitionObject {
  const { templateId, instanceId } = node
  const placed = readPlaced(node)
  if (placed) return createPlaced(node, placed)
  const isKnown = isKnownClass(templateId)
  const exemplar = isKnown ? undefined : findExemplar(node, target)
  if (exemplar) {
    if (hasHiddenContent(exemplar)) {
      const message = `What ${describeNode(node)} keeps beside what the document shows is a copy of what another of its kind does.`
      warn({ kind: 'hidden_content_copied', nodeInstanceId: instanceId, message })
    }
    return cloneObject(node, exemplar)
  }
  if (!isKnown || UNSEEN.includes(templateId)) {
    const message = `What ${describeNode(node)} keeps beside what the document shows is not known; the file has none of it.`
    warn({ kind: 'hidden_content_missing', nodeInstanceId: instanceId, message })
  }
  const libraryId = findLibraryId(node) ?? target.objectsByClass.get(templateId)?.[0]?.libraryId
  if (libraryId !== undefined) ensureLibrary(target.definition, libraryId, findPlugin(node))
  return readObject(buildObject(node, libraryId))
}

/** The object of a library item under the ids of the node, listed under the name that its author gave it. */
function createPlaced(node: Node, placed: DefinitionObject): DefinitionObject {
  const clone = cloneObject(node, placed)
  setItem(clone.chunk, 'string', 'Name', findLibraryName(node.templateId) ?? clone.name)
  sortItems(clone.chunk)
  return clone
}

/** Reads the object in the state of a node; undefined if that fails, since editors can write anything there. */
function readPlaced(node: Node): DefinitionObject | undefined {
  try {
    return findPlacedObject(node)
  } catch (error) {
    if (error instanceof GrasshopperError) return undefined
    throw error
  }
}

/** The chunk of a new object with the ports of its node, without index, wires, values and state. */
function buildObject(node: Node, libraryId: string | undefined): Chunk {
  const { templateId, instanceId } = node
  const bounds = findBounds(node)
  const container = createChunk('Container', [
    createItem('string', 'Description', ''),
    createItem('guid', 'InstanceGuid', instanceId),
    createItem('string', 'Name', toText(node.name)),
    createItem('string', 'NickName', toText(node.nickName)),
    ...listClassParts(node),
    ...listScriptParts(node),
    createAttributes(node, bounds),
    ...listPortParts(node, bounds),
  ])
  return sortItems(
    createChunk('Object', [
      createItem('guid', 'GUID', templateId),
      ...(libraryId === undefined ? [] : [createItem('guid', 'Lib', libraryId)]),
      createItem('string', 'Name', findLibraryName(templateId) ?? toText(node.name)),
      container,
    ]),
  )
}

function findLibraryName(classId: string): string | undefined {
  return (
    findComponentName(classId) ??
    findParameterType(classId)?.name ??
    findCanvasObject(classId)?.name ??
    findScript(classId)?.name
  )
}

/** Whether the content of this class is fully known, so that an object can be built from its node alone. */
export function isKnownClass(classId: string): boolean {
  const storage = findComponent(classId)?.portStorage
  return (
    storage === 'fixed' ||
    storage === 'variable' ||
    findParameterType(classId) !== undefined ||
    findScript(classId) !== undefined ||
    findCanvasObject(classId)?.parameter !== undefined ||
    OTHER_CLASSES.includes(classId)
  )
}

/** Classes without wires, or with ports of their own, that the component library does not list as components. */
const OTHER_CLASSES: readonly string[] = [CLASS.scribble, CLASS.sketch, CLASS.trigger, CLASS.dataDam]

/** Whether the class comes with Grasshopper and is of use without hidden content. */
function isStandard(classId: string): boolean {
  return isKnownClass(classId) || findComponentName(classId) !== undefined
}

/** Objects of Grasshopper that occurred in no file, so that their content is unknown: wheel, picker, scroller … */
const UNSEEN: readonly string[] = [
  '51a2ede9-8f8c-4fdf-a375-999c2062eab7',
  '339c0ee1-cf11-444f-8e10-65c9150ea755',
  '33bcf975-a0b2-4b54-99fd-585c893b9e88',
  'ab898d46-b8b3-4ed5-b28f-4f8047920262',
  'f8a94819-1e2b-4d67-9100-9e983ac493cc',
  '216bccd8-bf29-4d3c-b791-54c89a180db3',
]

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** The plug-in of a node. GhPython counts as one, without an id. */
function findLibraryId(node: Node): string | undefined {
  if (node.templateId === CLASS.ghPython) return NO_ID
  const id = findPlugin(node)?.libraryId
  return isGuid(id) ? id : undefined
}

function findPlugin(node: Node): PluginLibrary | undefined {
  const state = node.state as NodeState | undefined
  if (state?.kind === 'plugin') return state
  return state?.kind === 'valueList' ? state.plugin : undefined
}

/** Lists a plug-in among the libraries of a definition, which Grasshopper looks for when it opens the file. */
function ensureLibrary(definition: Chunk, id: string, plugin: PluginLibrary | undefined): void {
  const libraries = ensureChunk(definition, 'GHALibraries')
  const known = listChunks(libraries, 'Library')
  if (known.some((library) => findItem(library, 'Id', 'guid') === id)) return
  const texts = Object.entries({
    Author: '',
    Name: toText(plugin?.library),
    Version: toText(plugin?.version),
  })
  const library = createChunk(
    'Library',
    [createItem('guid', 'Id', id), ...texts.map(([key, text]) => createItem('string', key, text))],
    known.length,
  )
  library.items.sort((a, b) => (a.name < b.name ? -1 : 1))
  libraries.chunks.push(library)
  setItem(libraries, 'int32', 'Count', known.length + 1)
}
