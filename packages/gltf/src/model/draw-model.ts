import type { DataValue } from '@meadow/contract'
import { METERS_PER_UNIT, type Unit } from '@meadow/contract/terms'
import { COARSE, FINE } from '@meadow/drawing'
import type { Shader, Value } from '@meadow/geometry/values/value'
import type { BimInput, DocumentInput, SolutionInput } from './inputs.ts'
import { findMaterials } from './paint.ts'
import { isBimDocument, type Place, type PortValues, readValues } from './read-values.ts'
import {
  createDecodeCache,
  type DecodeCache,
  hasShape,
  isEmpty,
  type Shape,
  type ShapeOptions,
} from './shapes.ts'

export interface DrawOptions {
  /**
   * The document, from which names, colours (of Custom Preview) and the visibility of nodes are taken. Without it,
   * everything is drawn.
   */
  document?: DocumentInput
  /** The unit of lengths. A BIM document has one; values of a solution without one count as metres. */
  units?: Unit
  /** The nodes that are drawn, even if they are hidden; all others are not. */
  nodeInstanceIds?: Iterable<string>
  /** Whether nodes whose preview is off are drawn too. */
  hidden?: boolean
  /** Whether curves are drawn; true by default. */
  curves?: boolean
  /** Whether points are drawn; true by default. */
  points?: boolean
  /** Whether the edges of surfaces and solids are drawn as lines; false by default. */
  edges?: boolean
  /**
   * How closely triangles and lines follow curved shapes: with at most 7.5° or 15° between faces. `fine` by default.
   */
  detail?: 'fine' | 'coarse'
  /** Whether geometry that several ports hold is drawn at each. By default it is drawn once, at the first port. */
  repeats?: boolean
}

/** The triangles, lines and points of a solution, node by node; lengths in the document's unit, z is up. */
export interface DrawnModel {
  name: string
  documentId?: string
  solutionId: string
  units: Unit
  metersPerUnit: number
  nodes: DrawnNode[]
  skipped: SkippedValue[]
}

export interface DrawnNode {
  nodeInstanceId: string
  name: string
  ports: DrawnPort[]
}

export interface DrawnPort {
  portInstanceId: string
  name: string
  values: DrawnValue[]
}

export interface DrawnValue extends Place {
  type: DataValue['type']
  /** The platform id of an object in a BIM document. */
  id?: string
  shape: Shape
  material?: Shader
  /** The other places where the same geometry is, but not drawn. */
  alsoAt: Place[]
}

/** A value that has a shape but is not in the file. */
export interface SkippedValue extends Place {
  type: DataValue['type']
  /**
   * `geometry_missing` means that the response has no geometry of it, and `not_drawn` that such objects are not drawn
   * here, such as texts.
   */
  reason: 'geometry_missing' | 'not_drawn'
}

/** Draws the values of a solution that have a shape. */
export function drawModel(solution: SolutionInput | BimInput, options: DrawOptions = {}): DrawnModel {
  const { document } = options
  const ports = readValues(solution)
  const cache = createDecodeCache(toShapeOptions(options))
  const materials = findMaterials(ports, document, cache)
  const { draw, skipped } = createPortDrawer(ports, cache, materials, options)
  const nodes = new Map<string, DrawnNode>()
  for (const port of ports) {
    const values = draw(port)
    if (values.length === 0) continue
    const { nodeInstanceId, portInstanceId } = port
    const node = nodes.get(nodeInstanceId) ?? toNode(nodeInstanceId, document)
    nodes.set(nodeInstanceId, node)
    const name =
      port.name ?? findOwn(findNode(document, nodeInstanceId)?.ports, portInstanceId)?.name ?? 'Port'
    node.ports.push({ portInstanceId, name, values })
  }
  const units = options.units ?? (isBimDocument(solution) ? toUnit(solution.units) : 'none')
  const name = document?.name ?? 'Solution'
  const scale = { units, metersPerUnit: METERS_PER_UNIT[units] }
  return { name, ...toIds(solution, document), ...scale, nodes: [...nodes.values()], skipped }
}

const toShapeOptions = ({ detail, curves, edges, points }: DrawOptions): ShapeOptions => ({
  detail: detail === 'coarse' ? COARSE : FINE,
  hasCurves: curves ?? true,
  hasEdges: edges ?? false,
  hasPoints: points ?? true,
})

function toNode(nodeInstanceId: string, document: DocumentInput | undefined): DrawnNode {
  const { nickName, name } = findNode(document, nodeInstanceId) ?? {}
  return { nodeInstanceId, name: nickName || name || nodeInstanceId, ports: [] }
}

const findNode = (document: DocumentInput | undefined, id: string) => findOwn(document?.nodes, id)

/** Returns a member of an object, but not one that every object has, such as `constructor`. */
const findOwn = <T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined

const toUnit = (name: string): Unit => (Object.hasOwn(METERS_PER_UNIT, name) ? (name as Unit) : 'none')

function toIds(solution: SolutionInput | BimInput, document: DocumentInput | undefined) {
  if (isBimDocument(solution)) return { documentId: solution.documentId, solutionId: solution.solutionId }
  return { ...(document && { documentId: document.id }), solutionId: solution.data.solutionId }
}

/** Draws ports one after the other. */
function createPortDrawer(
  ports: readonly PortValues[],
  cache: DecodeCache,
  materials: ReadonlyMap<Value, Shader>,
  { repeats = false, ...options }: DrawOptions,
) {
  const isShown = createFilter(options)
  const shown = listValues(ports.filter(isShown), cache)
  const drawn = new Map<Value, DrawnValue>()
  const skipped: SkippedValue[] = []

  function draw(port: PortValues): DrawnValue[] {
    const values: DrawnValue[] = []
    const isPortShown = isShown(port)
    for (const { place, wire, id } of listPlaces(port)) {
      const value = cache.decode(wire)
      if (value === null) continue
      const material = materials.get(value)
      // A value with a colour is visible even where its nodes are hidden.
      const isVisible = isPortShown || (material && !options.nodeInstanceIds && !shown.has(value))
      if (!isVisible) continue
      const first = repeats ? undefined : drawn.get(value)
      if (first) {
        first.alsoAt.push(place)
        continue
      }
      const shape = cache.draw(value)
      if (!shape) skipped.push({ ...place, type: wire.type, reason: findReason(wire) })
      if (!shape || isEmpty(shape)) continue
      const looks = { ...(id && { id }), ...(material && { material }) }
      const one: DrawnValue = { ...place, type: wire.type, ...looks, shape, alsoAt: [] }
      drawn.set(value, one)
      values.push(one)
    }
    return values
  }
  return { draw, skipped }
}

/** Creates a filter for the ports whose values are drawn, as in Grasshopper. */
function createFilter({ document, hidden = false, nodeInstanceIds }: DrawOptions) {
  const only = nodeInstanceIds && new Set(nodeInstanceIds)
  return ({ nodeInstanceId, portInstanceId }: PortValues): boolean => {
    if (only) return only.has(nodeInstanceId)
    const node = findNode(document, nodeInstanceId)
    if (hidden || !node) return true
    return node.status.isPreviewed && !findOwn(node.ports, portInstanceId)?.options?.includes('hidden')
  }
}

function* listPlaces({ nodeInstanceId, portInstanceId, branches }: PortValues) {
  for (const { path, values, ids } of branches) {
    for (const [index, wire] of values.entries()) {
      if (wire === null || !hasShape(wire)) continue
      yield { place: { nodeInstanceId, portInstanceId, path, index }, wire, id: ids?.[index] }
    }
  }
}

function listValues(ports: readonly PortValues[], cache: DecodeCache): Set<Value | null> {
  const values = new Set<Value | null>()
  for (const port of ports) for (const { wire } of listPlaces(port)) values.add(cache.decode(wire))
  return values
}

const NEEDS_GEOMETRY: ReadonlySet<DataValue['type']> = new Set(['curve', 'surface', 'brep', 'mesh'])

const findReason = ({ type, geometry }: DataValue): SkippedValue['reason'] =>
  NEEDS_GEOMETRY.has(type) && !geometry ? 'geometry_missing' : 'not_drawn'
