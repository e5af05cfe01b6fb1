import { createHash, type Hash } from 'node:crypto'
import type { StoredFacts } from '@meadow/document'
import type { Archive, Chunk, Item } from '../archive/tree/archive.ts'
import { findChunk, findItem, listChunks } from '../archive/tree/find.ts'
import { DEFAULT_LIMITS, MAX_DEPTH } from '../archive/tree/limits.ts'
import { isOption } from '../definition/states/options.ts'
import { formatLiteral, isByteType } from '../text/literal.ts'
import { createNestedArchives, type NestedArchives } from '../text/nested.ts'
import { findPortName } from '../text/objects.ts'
import { createMeanings, type FindMeaning } from './meaning.ts'

/** The items that only say how the canvas, windows and the last session looked, by their chunk. Everything else is stored data. */
export const LAYOUT: Readonly<Record<string, readonly string[]>> = {
  Root: ['ArchiveVersion'],
  Definition: ['plugin_version'],
  DefinitionProperties: ['Date', 'Name', 'KeepOpen'],
  Projection: ['Target', 'Zoom'],
  Thumbnail: ['Thumbnail'],
  DocumentHeader: ['DocumentID', 'Preview', 'PreviewMeshType', 'PreviewNormal', 'PreviewSelected'],
  DefinitionHeader: ['DocumentID', 'Preview', 'PreviewMeshType', 'PreviewNormal', 'PreviewSelected'],
  Attributes: ['Bounds', 'Pivot', 'Selected', 'BBox', 'ObjectBox'],
  ScriptEditor: ['StartBounds'],
  Container: ['EditorSize', 'EditorLocation', 'ScrollRatio'],
}

/**
 * The names of items and chunks in an object that documents show. A document that differs in these says so itself; the
 * comparison says it where the document does not.
 */
const SHOWN: ReadonlySet<string> = new Set([
  ...[
    'GUID',
    'Lib',
    'Name',
    'NickName',
    'InstanceGuid',
    'Hidden',
    'Locked',
    'Enabled',
    'Preview',
    'IconDisplay',
  ],
  ...[
    'PrincipalIndex',
    'Source',
    'SourceCount',
    'Access',
    'Mapping',
    'SimplifyData',
    'ReverseData',
    'Optional',
  ],
  ...[
    'InternalExpression',
    'Reparameterize',
    'UseDegrees',
    'InvertBooleans',
    'WireDisplay',
    'Data',
    'TypeName',
  ],
  ...[
    'PersistentData',
    'PersistentCount',
    'Slider',
    'ListCount',
    'ListItem',
    'ListMode',
    'UserText',
    'SwatchColor',
  ],
  ...[
    'ToggleValue',
    'DialData',
    'GeneData',
    'Gradient',
    'Graph',
    'LocalGraph',
    'PanelProperties',
    'Text',
    'Font',
  ],
  ...[
    'CodeInput',
    'ScriptSource',
    'AdditionalSource',
    'Script',
    'lexers',
    'Target',
    'TargetCount',
    'TimerInterval',
  ],
  ...[
    'Multiline',
    'MultilineData',
    'Snap',
    'Colour',
    'ID',
    'ID_Count',
    'InputCount',
    'OutputCount',
    'InputId',
  ],
  ...[
    'OutputId',
    'ClusterDocument',
    'ParamMap',
    'Mark',
    'V',
    'Size',
    'ExpressionNormal',
    'ExpressionPressed',
  ],
  ...['ValueTable', 'DataComparison', 'ScriptParamAccess', 'SketchProperties', 'VertexCount', 'MarkCount'],
])

/** Chunks of ports, whose own items are named after the port. */
const PORTS: ReadonlySet<string> = new Set(['param_input', 'param_output', 'InputParam', 'OutputParam'])

/**
 * The stored data of a definition as digests: of the file itself under an empty key, of each object under its id, of objects
 * in clusters under the ids of the way to them, with slashes. Layout and windows are left out; geometry and icons count as
 * what they mean. Names that a document shows begin with `~`.
 */
export function describeStored({ root }: Archive): StoredFacts {
  const facts: StoredFacts = {}
  const context = {
    find: createMeanings(),
    nested: createNestedArchives(DEFAULT_LIMITS, 2 * MAX_DEPTH),
    depth: 0,
  }
  describeDocument(root, findChunk(root, 'Definition') ?? root, '', facts, context)
  return facts
}

/** Clusters nested deeper than this are not compared, as in the contents of documents. */
const MAX_NESTING = 50

interface Context {
  find: FindMeaning
  nested: NestedArchives
  depth: number
}

function describeDocument(
  root: Chunk,
  definition: Chunk,
  key: string,
  facts: StoredFacts,
  context: Context,
): void {
  const lists = definition.chunks.filter(({ name }) => name === 'DefinitionObjects')
  const own = new Labels(context.find)
  for (const chunk of new Set([root, definition])) {
    for (const item of chunk.items) own.addItem(item.name, chunk, item)
    for (const child of chunk.chunks)
      if (child !== definition && !lists.includes(child))
        own.addTree(child.name === 'GHALibraries' ? '~GHALibraries' : child.name, child)
  }
  for (const list of lists) for (const item of list.items) own.addItem(`~${item.name}`, list, item)
  // What a cluster says of itself is a part of its node.
  const said = Object.entries(own.finish()).map(([label, digest]) => [
    key === '' ? label : label.replace(/^~?/, '$&inside/'),
    digest,
  ])
  facts[key] = { ...facts[key], ...Object.fromEntries(said) }
  for (const object of lists.flatMap((list) => listChunks(list, 'Object'))) {
    const container = findChunk(object, 'Container')
    const id = container && findItem(container, 'InstanceGuid', 'guid')
    if (!container || id === undefined) continue
    const path = key === '' ? id : `${key}/${id}`
    const inside = container.items.find(({ name }) => name === 'ClusterDocument')
    const archive =
      inside && context.depth < MAX_NESTING ? context.nested.find(inside, context.depth)?.archive : undefined
    // The objects inside a cluster have facts of their own.
    facts[path] = describeObject(object, container, context.find, archive && inside)
    if (archive)
      describeDocument(archive.root, archive.root, path, facts, { ...context, depth: context.depth + 1 })
  }
}

function describeObject(
  object: Chunk,
  container: Chunk,
  find: FindMeaning,
  inside: Item | undefined,
): Record<string, string> {
  const labels = new Labels(find)
  const add = (chunk: Chunk, prefix: string): void => {
    for (const item of chunk.items) {
      const isShown = SHOWN.has(item.name) || (chunk === container && isShownOption(item))
      if (item !== inside) labels.addItem(labelOf(item.name, prefix, isShown), chunk, item)
    }
    for (const child of chunk.chunks) {
      if (child === container || child.name === 'ParameterData') add(child, prefix)
      else if (PORTS.has(child.name)) add(child, `${findPortName(child)}/`)
      else labels.addTree(labelOf(child.name, prefix, SHOWN.has(child.name)), child)
    }
  }
  add(object, '')
  return labels.finish()
}

const labelOf = (name: string, prefix: string, isShown: boolean): string =>
  `${isShown ? '~' : ''}${prefix}${name}`

/** Whether a component shows the item among its options, if it has no state of another kind. */
const isShownOption = (item: Item): boolean =>
  isOption(item) && ['bool', 'int32', 'string', 'double'].includes(item.type)

/** Digests of facts by their label. */
class Labels {
  readonly #find: FindMeaning
  readonly #hashes = new Map<string, Hash>()

  constructor(find: FindMeaning) {
    this.#find = find
  }

  addItem(label: string, { name }: Chunk, item: Item): void {
    if (LAYOUT[name]?.includes(item.name)) return
    let hash = this.#hashes.get(label)
    if (!hash) {
      hash = createHash('sha256')
      this.#hashes.set(label, hash)
    }
    hash.update(`${item.name}\0${item.index}\0${item.type}\0`)
    const meaning = this.#find(item)
    if (meaning !== undefined) hash.update(meaning)
    else if (isByteType(item.type)) hash.update(item.value as Uint8Array | Float64Array)
    else hash.update(formatLiteral(item))
    hash.update('\0')
  }

  addTree(label: string, chunk: Chunk): void {
    for (const item of chunk.items) this.addItem(label, chunk, item)
    for (const child of chunk.chunks) {
      this.#hashes.get(label)?.update(`${child.name}\0${child.index}\0`)
      this.addTree(label, child)
    }
  }

  finish(): Record<string, string> {
    return Object.fromEntries(
      [...this.#hashes].map(([label, hash]) => [label, hash.digest('base64').slice(0, DIGEST_LENGTH)]),
    )
  }
}

/** 72 bits: enough for the few thousand facts that are compared with each other. */
const DIGEST_LENGTH = 12
