import { countModel, type ModelCounts } from '../model/count-model.ts'
import {
  type DrawnModel,
  type DrawnValue,
  type DrawOptions,
  drawModel,
  type SkippedValue,
} from '../model/draw-model.ts'
import type { BimInput, SolutionInput } from '../model/inputs.ts'
import { findLooks, type Looks } from '../model/looks.ts'
import type { Shape } from '../model/shapes.ts'

export interface ObjOptions extends DrawOptions {
  /** Which axis is up. By default `y`, as most programs that read OBJ files take it; the document has `z`. */
  up?: 'y' | 'z'
  /** The name of the file that `mtl` is written to. By default `model.mtl`. */
  mtlName?: string
}

/** The texts of an OBJ file and of the MTL file with its materials. */
export interface Obj {
  obj: string
  mtl: string
  counts: ModelCounts
  skipped: SkippedValue[]
}

/**
 * Writes a solution with geometry as an OBJ file, in metres: surfaces and meshes as triangles, curves as lines, points
 * as points. Each value is an object (`o`) in the group (`g`) of its node; a comment names its port.
 */
export function toObj(solution: SolutionInput | BimInput, options: ObjOptions = {}): Obj {
  const model = drawModel(solution, options)
  return { ...writeObj(model, options), counts: countModel(model), skipped: model.skipped }
}

/** The numbers of vertices and normals written so far: OBJ counts them from the start of the file, from 1. */
interface Counter {
  vertices: number
  normals: number
}

/** Writes a drawn model as an OBJ file and an MTL file. */
export function writeObj(
  model: DrawnModel,
  { up = 'y', mtlName = 'model.mtl' }: Pick<ObjOptions, 'up' | 'mtlName'> = {},
): Pick<Obj, 'obj' | 'mtl'> {
  const looks = new Map<string, Looks>()
  const counter: Counter = { vertices: 0, normals: 0 }
  const toAxes: Axes = up === 'y' ? (x, y, z) => `${x} ${z} ${round(-y)}` : (x, y, z) => `${x} ${y} ${z}`
  const write = (value: DrawnValue) => writeShape(value, counter, model.metersPerUnit, toAxes, looks)
  const objects = model.nodes.flatMap(({ name, nodeInstanceId, ports }) =>
    ports.flatMap((port) =>
      port.values.map((value) => {
        const { path, index } = value
        const title = `g ${toWord(name)}\no ${toWord(`${port.name} ${path}[${index}]`)}\n`
        const place = `# node ${nodeInstanceId} port ${port.portInstanceId} path ${path} index ${index}\n`
        return `${place}${title}${write(value)}`
      }),
    ),
  )
  const head = `# Meadow: solution ${model.solutionId}, metres, ${up} is up\nmtllib ${toWord(mtlName)}\n`
  return { obj: `${head}${objects.join('')}`, mtl: writeMtl(looks) }
}

type Axes = (x: number, y: number, z: number) => string

function writeShape(
  { shape, material }: DrawnValue,
  counter: Counter,
  scale: number,
  toAxes: Axes,
  looks: Map<string, Looks>,
): string {
  const parts: string[] = []
  const use = (kind: 'surface' | 'line') => {
    const found = findLooks(kind, material)
    looks.set(found.name, found)
    parts.push(`usemtl ${toWord(found.name)}\n`)
  }
  const putVertex = (x: number, y: number, z: number) => {
    parts.push(`v ${toAxes(round(x * scale), round(y * scale), round(z * scale))}\n`)
    return ++counter.vertices
  }
  if (shape.triangles.length > 0) writeTriangles(shape, counter, { parts, putVertex, toAxes, use })
  if (shape.lines.length > 0 || shape.points.length > 0) use('line')
  for (const line of shape.lines) parts.push(`l ${line.map(({ x, y, z }) => putVertex(x, y, z)).join(' ')}\n`)
  for (const { x, y, z } of shape.points) parts.push(`p ${putVertex(x, y, z)}\n`)
  return parts.join('')
}

interface Writer {
  parts: string[]
  putVertex: (x: number, y: number, z: number) => number
  toAxes: Axes
  use: (kind: 'surface' | 'line') => void
}

function writeTriangles(
  { positions, normals, triangles }: Shape,
  counter: Counter,
  { parts, putVertex, toAxes, use }: Writer,
): void {
  const [vertex, normal] = [counter.vertices + 1, counter.normals + 1]
  for (let i = 0; i < positions.length; i += 3) putVertex(positions[i]!, positions[i + 1]!, positions[i + 2]!)
  for (let i = 0; i < normals.length; i += 3) {
    const [x, y, z] = [normals[i]!, normals[i + 1]!, normals[i + 2]!]
    parts.push(`vn ${toAxes(shorten(x), shorten(y), shorten(z))}\n`)
  }
  counter.normals += normals.length / 3
  use('surface')
  const corner = (index: number) => `${vertex + index}//${normal + index}`
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!]
    parts.push(`f ${corner(a)} ${corner(b)} ${corner(c)}\n`)
  }
}

/** Rounds to a nanometre. Adding 0 turns -0 into 0. */
const round = (metres: number): number => Math.round(metres * 1e9) / 1e9 + 0
/** Rounds a component of a unit vector. */
const shorten = (part: number): number => Math.round(part * 1e6) / 1e6 + 0

/** Removes the blanks and line ends of a name, which would end it. */
const toWord = (name: string): string => name.trim().replace(/[\s\p{Cc}]+/gu, '_') || '_'

/** Writes the materials as MTL. Source: Wavefront, Advanced Visualizer Manual, appendix B1. */
function writeMtl(looks: ReadonlyMap<string, Looks>): string {
  return [...looks.values()]
    .map(({ name, colour, emission, opacity, shine }) =>
      [
        `newmtl ${toWord(name)}`,
        `Kd ${toText(colour)}`,
        `Ke ${toText(emission)}`,
        `Ns ${Math.round(1000 * shine)}`,
        `d ${shorten(opacity)}`,
        '',
      ].join('\n'),
    )
    .join('\n')
}

const toText = (colour: Looks['colour']): string => colour.map(shorten).join(' ')
