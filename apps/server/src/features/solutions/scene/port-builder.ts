import type { SceneBatch } from '@meadow/contract/web'
import type { ValueLocation } from '@meadow/model'
import type { Drawing } from '@meadow/solver'
import { BatchBuilder, type PutNumbers } from './batch-builder.ts'
import { growingIntegers } from './growing-numbers.ts'

type Xyz = Drawing['points'][number]

/** Collects what is drawn of the values of one port, in the order of branches. */
export class PortBuilder {
  readonly #port: Pick<ValueLocation, 'nodeInstanceId' | 'portInstanceId'>
  readonly #bodies: BatchBuilder
  readonly #edges: BatchBuilder
  readonly #curves: BatchBuilder
  readonly #points: BatchBuilder
  readonly #branches: SceneBatch['branches'] = []
  readonly #paths = new Set<string>()
  readonly #colours = growingIntegers()
  #hasColour = false

  constructor({ nodeInstanceId, portInstanceId }: ValueLocation, origin: Xyz) {
    this.#port = { nodeInstanceId, portInstanceId }
    this.#bodies = new BatchBuilder({ kind: 'triangles', role: 'body' }, origin)
    this.#edges = new BatchBuilder({ kind: 'lines', role: 'edge' }, origin)
    this.#curves = new BatchBuilder({ kind: 'lines', role: 'curve' }, origin)
    this.#points = new BatchBuilder({ kind: 'points', role: 'point' }, origin)
  }

  /** False when the value comes before one that is there already: it cannot be put in. */
  add({ path, index }: ValueLocation, drawing: Drawing, colour: number): boolean {
    if (!this.#goTo(path, index, colour)) return false
    if (drawing.triangles.length > 0) this.#bodies.addTriangles(drawing)
    for (const edge of drawing.edges) this.#edges.addLine(edge)
    for (const curve of drawing.curves) this.#curves.addLine(curve)
    for (const point of drawing.points) this.#points.addPoint(point)
    return true
  }

  finish(put: PutNumbers): SceneBatch[] {
    const builders = this.#builders.filter(({ isEmpty }) => !isEmpty)
    if (builders.length === 0) return []
    const colours = this.#hasColour ? { colours: put(this.#colours) } : {}
    const port = { ...this.#port, branches: this.#branches, ...colours }
    return builders.map((builder) => builder.finish(port, put))
  }

  get #builders(): BatchBuilder[] {
    return [this.#bodies, this.#edges, this.#curves, this.#points]
  }

  /** What is no geometry has its place too. The members of a group come one after the other, with one place. */
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
    }
    if (colour !== 0) this.#hasColour = true
    return true
  }
}
