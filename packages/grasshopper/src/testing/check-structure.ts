import { findCanvasObject, findComponentName, findParameterType, findScript } from '@meadow/document'
import type { Archive, Chunk, Item, ItemType } from '../archive/tree/archive.ts'
import { findChunk, findItem, listChunks } from '../archive/tree/find.ts'
import { CLASS } from '../definition/model/class-ids.ts'

/** Items that have to be in a chunk, with their types. */
type Required = Readonly<Record<string, ItemType>>

const NAMES: Required = { Name: 'string', NickName: 'string', Description: 'string', InstanceGuid: 'guid' }
const PORT: Required = { ...NAMES, Optional: 'bool', SourceCount: 'int32' }
const BOUNDS: Required = { Bounds: 'drawing_rectanglef' }
const HEADER: Required = {
  DocumentID: 'guid',
  Preview: 'string',
  PreviewMeshType: 'int32',
  PreviewNormal: 'drawing_color',
  PreviewSelected: 'drawing_color',
}
const PROPERTIES: Required = { Date: 'date', Description: 'string', Name: 'string' }

/** Items that count other items or chunks, by the name of the counted ones. */
const COUNTS: readonly (readonly [count: string, counted: string])[] = [
  ['ObjectCount', 'Object'],
  ['SourceCount', 'Source'],
  ['ID_Count', 'ID'],
  ['ListCount', 'ListItem'],
  ['InputCount', 'InputId'],
  ['InputCount', 'InputParam'],
  ['OutputCount', 'OutputId'],
  ['OutputCount', 'OutputParam'],
  ['GripCount', 'Grip'],
  ['MarkCount', 'Mark'],
  ['VertexCount', 'V'],
  ['TargetCount', 'Target'],
  ['ReferenceCount', 'Reference'],
  ['lexer_count', 'source'],
  ['lexer_count', 'target'],
  ['RevisionCount', 'Revision'],
  ['GroupCount', 'Group'],
]

/** The types of items that other programs look up by name and type; those of a value are in its Item chunk. */
const TYPES: Required = {
  ...PORT,
  ...BOUNDS,
  Pivot: 'drawing_pointf',
  Source: 'guid',
  Access: 'int32',
  Mapping: 'int32',
  SimplifyData: 'bool',
  ReverseData: 'bool',
  Reparameterize: 'bool',
  InternalExpression: 'string',
  UseDegrees: 'bool',
  InvertBooleans: 'bool',
  Hidden: 'bool',
  Locked: 'bool',
  PrincipalIndex: 'int32',
  ON_Data: 'bytearray',
  RefID: 'guid',
  EdgeIndex: 'int32',
  TypeName: 'string',
  UserText: 'string',
  ToggleValue: 'bool',
  SwatchColor: 'drawing_color',
  ID: 'guid',
  Coordinate: 'point3d',
  vector: 'point3d',
  Line: 'line',
  color: 'drawing_color',
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

/**
 * The violations of the structure of Grasshopper's own definitions, in words with their location; empty for a valid
 * archive. `imported`: classes that may occur although they do not come with Grasshopper.
 */
export function listFaults({ root }: Archive, imported: ReadonlySet<string> = new Set()): string[] {
  const faults: string[] = []
  const report = (where: string, what: string) => faults.push(`${where}: ${what}`)
  const require = (chunk: Chunk | undefined, items: Required, where: string) => {
    if (!chunk) report(where, 'is missing')
    else
      for (const [name, type] of Object.entries(items)) {
        if (findItem(chunk, name, type) === undefined) report(where, `lacks ${name} (${type})`)
      }
  }
  const definition = findChunk(root, 'Definition')
  require(root, { ArchiveVersion: 'version' }, 'Root')
  require(definition, { plugin_version: 'version' }, 'Definition')
  if (!definition) return faults
  require(findChunk(definition, 'DocumentHeader'), HEADER, 'DocumentHeader')
  const properties = findChunk(definition, 'DefinitionProperties')
  require(properties, PROPERTIES, 'DefinitionProperties')
  for (const name of ['Revisions', 'Projection', 'Views']) {
    if (properties && !findChunk(properties, name)) report('DefinitionProperties', `lacks ${name}`)
  }
  checkTree(root, 'Root', report)
  checkObjects(definition, imported, report, require)
  return faults
}

type Report = (where: string, what: string) => void

/** Checks identities, gaps in indices, counts and types, at every depth. */
function checkTree(chunk: Chunk, where: string, report: Report): void {
  checkFamilies(chunk.items, where, report)
  checkFamilies(chunk.chunks, where, report)
  for (const item of chunk.items) checkType(item, where, report)
  for (const [count, counted] of COUNTS) {
    const promised = findItem(chunk, count, 'int32')
    if (promised === undefined) continue
    const found = [...chunk.items, ...chunk.chunks].filter(
      (it) => it.name === counted && it.index >= 0,
    ).length
    if (found !== promised) report(where, `${count} is ${promised}, but there are ${found} of ${counted}`)
  }
  if (chunk.name === 'PersistentData') checkData(chunk, where, report)
  for (const child of chunk.chunks) {
    checkTree(child, `${where}/${child.name}${child.index < 0 ? '' : ` #${child.index}`}`, report)
  }
}

const FAMILIES = new Set([
  ...COUNTS.map(([, counted]) => counted),
  ...['param_input', 'param_output', 'Branch', 'Item', 'Library', 'Value', 'cpx', 'cpy'],
])

/** Plug-ins number their own items in any way. */
function checkFamilies(
  members: readonly { name: string; index: number }[],
  where: string,
  report: Report,
): void {
  for (const [name, family] of Map.groupBy(members, (member) => member.name)) {
    const indices = family.map(({ index }) => index).sort((a, b) => a - b)
    if (new Set(indices).size < indices.length) report(where, `${name} stands there twice`)
    const isGapless = indices.every((index, i) => index === i) || (indices.length === 1 && indices[0] === -1)
    if (FAMILIES.has(name) && !isGapless) {
      report(where, `${name} has the indices ${indices}`)
    }
  }
}

function checkType({ name, type }: Item, where: string, report: Report): void {
  const isOther = /\/(Item|ConverterData|Group|Revision|State) #?\d*$|ReferenceData$/.test(where)
  const wanted = TYPES[name]
  if (!isOther && wanted !== undefined && wanted !== type) report(where, `${name} is a ${type}`)
}

function checkData(data: Chunk, where: string, report: Report): void {
  const branches = listChunks(data, 'Branch')
  if (findItem(data, 'Count', 'int32') !== branches.length) report(where, 'miscounts its branches')
  for (const branch of branches) {
    const [count, items] = [findItem(branch, 'Count', 'int32'), listChunks(branch, 'Item').length]
    if (count === undefined || (items !== count && items !== 0))
      report(where, 'miscounts the items of a branch')
    if (!/^\{(-?\d+(;-?\d+)*)?\}$/.test(findItem(branch, 'Path', 'string') ?? ''))
      report(where, 'has no path')
  }
}

function checkObjects(
  definition: Chunk,
  imported: ReadonlySet<string>,
  report: Report,
  require: (chunk: Chunk | undefined, items: Required, where: string) => void,
): void {
  const libraries = findChunk(definition, 'GHALibraries')
  const known = libraries && listChunks(libraries, 'Library')
  if (libraries && findItem(libraries, 'Count', 'int32') !== known?.length)
    report('GHALibraries', 'miscounts')
  const libraryIds = new Set(known?.map((library) => findItem(library, 'Id', 'guid')))
  const owners = new Map<string, string>()
  const claim = (chunk: Chunk, where: string) => {
    const id = findItem(chunk, 'InstanceGuid', 'guid') ?? ''
    if (owners.has(id)) report(where, `shares its id with ${owners.get(id)}`)
    owners.set(id, where)
  }
  const list = findChunk(definition, 'DefinitionObjects')
  for (const object of list ? listChunks(list, 'Object') : []) {
    const where = `Object #${object.index}`
    require(object, { GUID: 'guid', Name: 'string' }, where)
    const container = findChunk(object, 'Container')
    require(container, NAMES, where)
    if (!container) continue
    const [classId = '', lib] = [findItem(object, 'GUID', 'guid'), findItem(object, 'Lib', 'guid')]
    if (!isKnown(classId) && !imported.has(classId)) report(where, `has the unknown class ${classId}`)
    if (lib !== undefined && lib !== NO_ID && !libraryIds.has(lib))
      report(where, `has the unlisted library ${lib}`)
    if (!findChunk(container, 'Attributes')) report(where, 'has no Attributes')
    if (findItem(container, 'SourceCount', 'int32') !== undefined) require(container, PORT, where)
    claim(container, where)
    const at = findChunk(container, 'ParameterData') ?? container
    for (const port of at.chunks.filter(({ name }) => PORTS.has(name))) {
      const location = `${where}/${port.name} #${port.index}`
      require(port, PORT, location)
      require(findChunk(port, 'Attributes'), BOUNDS, location)
      claim(port, location)
    }
  }
}

const PORTS = new Set(['param_input', 'param_output', 'InputParam', 'OutputParam'])

function isKnown(classId: string): boolean {
  const finders = [findComponentName, findParameterType, findCanvasObject, findScript]
  return classId === CLASS.group || finders.some((find) => find(classId) !== undefined)
}
