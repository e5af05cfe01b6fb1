import {
  CLOSED_BODY,
  SCENE_TYPES,
  type SceneBatch,
  type SceneSpan,
  type SceneType,
} from '@meadow/contract/web/terms'
import type { Drawing } from '../drawing/drawing.ts'

type Xyz = Drawing['points'][number]

/** The place of a value: a port, a branch, and the index in it. */
export interface SceneLocation {
  nodeInstanceId: string
  portInstanceId: string
  /** The path of the branch in the wire format: `{0;1}`. */
  path: string
  /** The index in the branch, from 0. */
  index: number
}

/** Appends numbers to the scene and returns their span. */
export type PutNumbers = (numbers: Pick<GrowingNumbers<never>, 'bytes' | 'length'>) => SceneSpan

/** Collects the drawings of the values of one port, in the order of branches. */
export class PortBuilder {
  readonly #port: Pick<SceneLocation, 'nodeInstanceId' | 'portInstanceId'>
  readonly #bodies: BatchBuilder
  readonly #edges: BatchBuilder
  readonly #isocurves: BatchBuilder
  readonly #meshEdges: BatchBuilder
  readonly #curves: BatchBuilder
  readonly #points: BatchBuilder
  readonly #branches: SceneBatch['branches'] = []
  readonly #paths = new Set<string>()
  readonly #colours = growingIntegers()
  #hasColour = false
  readonly #types = growingIntegers()
  readonly #measures = growingFloats()
  #hasMeasure = false

  constructor({ nodeInstanceId, portInstanceId }: SceneLocation, origin: Xyz) {
    this.#port = { nodeInstanceId, portInstanceId }
    this.#bodies = new BatchBuilder({ kind: 'triangles', role: 'body' }, origin)
    this.#edges = new BatchBuilder({ kind: 'lines', role: 'edge' }, origin)
    this.#isocurves = new BatchBuilder({ kind: 'lines', role: 'isocurve' }, origin)
    this.#meshEdges = new BatchBuilder({ kind: 'lines', role: 'meshEdge' }, origin)
    this.#curves = new BatchBuilder({ kind: 'lines', role: 'curve' }, origin)
    this.#points = new BatchBuilder({ kind: 'points', role: 'point' }, origin)
  }

  /** Adds a value. Returns false, and does not add it, when a value that comes after it was added already. */
  add({ path, index }: SceneLocation, drawing: Drawing, { colour, type, measure }: ValueTraits): boolean {
    if (!this.#goTo(path, index, colour)) return false
    this.#describe(toTypeNumber(type, drawing), measure)
    if (drawing.triangles.length > 0) this.#bodies.addTriangles(drawing)
    for (const edge of drawing.edges) this.#edges.addLine(edge)
    for (const isocurve of drawing.isocurves) this.#isocurves.addLine(isocurve)
    for (const edge of drawing.meshEdges) this.#meshEdges.addLine(edge)
    for (const curve of drawing.curves) this.#curves.addLine(curve)
    for (const point of drawing.points) this.#points.addPoint(point)
    return true
  }

  finish(put: PutNumbers): SceneBatch[] {
    const builders = this.#builders.filter(({ isEmpty }) => !isEmpty)
    if (builders.length === 0) return []
    const colours = this.#hasColour ? { colours: put(this.#colours) } : {}
    const measures = this.#hasMeasure ? { measures: put(this.#measures) } : {}
    const port = { ...this.#port, branches: this.#branches, ...colours, types: put(this.#types), ...measures }
    return builders.map((builder) => builder.finish(port, put))
  }

  /** Sets the type and measure of the last value. A group has the general type and no measure. */
  #describe(type: number, measure: number): void {
    const isFirst = this.#types.last === NOTHING
    this.#types.replaceLast(isFirst ? type : 0)
    this.#measures.replaceLast(isFirst ? measure : Number.NaN)
    if (isFirst && !Number.isNaN(measure)) this.#hasMeasure = true
  }

  get #builders(): BatchBuilder[] {
    return [this.#bodies, this.#edges, this.#isocurves, this.#meshEdges, this.#curves, this.#points]
  }

  /**
   * Begins the value at `index` of a branch, and the values before it that have no geometry. The members of a group
   * follow each other with the same index and belong to one value.
   */
  #goTo(path: string, index: number, colour: number): boolean {
    let branch = this.#branches.at(-1)
    if (branch?.path !== path) {
      if (this.#paths.has(path)) return false
      this.#paths.add(path)
      branch = { path, values: 0 }
      this.#branches.push(branch)
    }
    if (index < branch.values - 1) return false
    for (; branch.values <= index; branch.values++) {
      for (const builder of this.#builders) builder.beginValue()
      this.#colours.push(branch.values === index ? colour : 0)
      this.#types.push(NOTHING)
      this.#measures.push(Number.NaN)
    }
    if (colour !== 0) this.#hasColour = true
    return true
  }
}

/** The traits of a value besides its drawing. */
export interface ValueTraits {
  /** The colour as `0xrrggbbaa`; 0 without a colour of its own. */
  colour: number
  type: SceneType
  /** The exact length or area; NaN where it is not known. */
  measure: number
}

/** Stands in place of a type for a value without geometry. */
const NOTHING = 0xff

const toTypeNumber = (type: SceneType, { isClosed }: Drawing): number =>
  SCENE_TYPES.indexOf(type) + (isClosed ? CLOSED_BODY : 0)

/** Collects the triangles, lines or points of the values of a port. */
class BatchBuilder {
  readonly #kind: Pick<SceneBatch, 'kind' | 'role'>
  readonly #positions = growingFloats()
  readonly #normals = growingFloats()
  readonly #indices = growingIntegers()
  readonly #starts = growingIntegers()
  /** The point that positions are relative to. */
  readonly #origin: Xyz

  constructor(kind: Pick<SceneBatch, 'kind' | 'role'>, origin: Xyz) {
    this.#kind = kind
    this.#origin = origin
  }

  get isEmpty(): boolean {
    return this.#positions.length === 0
  }

  /** Begins the next value, to which everything belongs that is added from now on. */
  beginValue(): void {
    this.#starts.push(this.#end)
  }

  addTriangles({ positions, normals, triangles }: Drawing): void {
    const first = this.#vertexCount
    for (let i = 0; i < positions.length; i += 3) {
      this.#addPosition(positions[i]!, positions[i + 1]!, positions[i + 2]!)
    }
    for (const number of normals) this.#normals.push(number)
    for (const number of triangles) this.#indices.push(first + number)
  }

  addLine(points: readonly Xyz[]): void {
    for (const [i, { x, y, z }] of points.entries()) {
      if (i > 0) {
        this.#indices.push(this.#vertexCount - 1)
        this.#indices.push(this.#vertexCount)
      }
      this.#addPosition(x, y, z)
    }
  }

  addPoint({ x, y, z }: Xyz): void {
    this.#addPosition(x, y, z)
  }

  finish(
    port: Omit<SceneBatch, 'kind' | 'role' | 'positions' | 'normals' | 'indices' | 'starts'>,
    put: PutNumbers,
  ): SceneBatch {
    this.beginValue()
    return {
      ...port,
      ...this.#kind,
      positions: put(this.#positions),
      ...(this.#normals.length > 0 && { normals: put(this.#normals) }),
      ...(this.#kind.kind !== 'points' && { indices: put(this.#indices) }),
      starts: put(this.#starts),
    }
  }

  get #vertexCount(): number {
    return this.#positions.length / 3
  }

  get #end(): number {
    return this.#kind.kind === 'points' ? this.#vertexCount : this.#indices.length
  }

  #addPosition(x: number, y: number, z: number): void {
    this.#positions.push(x - this.#origin.x)
    this.#positions.push(y - this.#origin.y)
    this.#positions.push(z - this.#origin.z)
  }
}

type Numbers = Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** A growing list of four-byte numbers, which takes a tenth of the memory of an array. */
class GrowingNumbers<T extends Numbers> {
  #numbers: T
  readonly #create: (length: number) => T
  length = 0

  constructor(create: (length: number) => T) {
    this.#create = create
    this.#numbers = create(64)
  }

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = this.#create(2 * this.length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = number
  }

  get last(): number | undefined {
    return this.#numbers[this.length - 1]
  }

  replaceLast(number: number): void {
    this.#numbers[this.length - 1] = number
  }

  /** The bytes as in memory, which is little-endian on every platform of Node and of browsers. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#numbers.buffer, 0, 4 * this.length)
  }
}

function growingFloats() {
  return new GrowingNumbers((length) => new Float32Array(length))
}

function growingIntegers() {
  return new GrowingNumbers((length) => new Uint32Array(length))
}
