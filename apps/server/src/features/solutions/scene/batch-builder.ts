import type { SceneBatch, SceneSpan } from '@meadow/contract/web'
import type { Drawing } from '@meadow/solver'
import { type GrowingNumbers, growingFloats, growingIntegers } from './growing-numbers.ts'

type Xyz = Drawing['points'][number]
type Kind = Pick<SceneBatch, 'kind' | 'role'>

/** Puts numbers behind all others, and tells where. */
export type PutNumbers = (numbers: Pick<GrowingNumbers<never>, 'bytes' | 'length'>) => SceneSpan

/** Collects what is drawn in one way of the values of a port. */
export class BatchBuilder {
  readonly #kind: Kind
  readonly #positions = growingFloats()
  readonly #normals = growingFloats()
  readonly #indices = growingIntegers()
  readonly #starts = growingIntegers()
  /** Relative to which positions are. */
  readonly #origin: Xyz

  constructor(kind: Kind, origin: Xyz) {
    this.#kind = kind
    this.#origin = origin
  }

  get isEmpty(): boolean {
    return this.#positions.length === 0
  }

  /** What is added from now on belongs to the next value. */
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

  addLine(places: readonly Xyz[]): void {
    for (const [i, { x, y, z }] of places.entries()) {
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
    port: Pick<SceneBatch, 'nodeInstanceId' | 'portInstanceId' | 'branches'> & { colours?: SceneSpan },
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
