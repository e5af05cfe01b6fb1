import { checkpoint } from '@meadow/geometry/budget/budget'
import { type Domain, domain } from '@meadow/geometry/values/value'
import { mapValues } from '../../tree/tree.ts'
import { defineParameter, type RunContext } from '../declaration/define-kind.ts'
import { clampTo, interpolateDomain } from '../maths/domains.ts'

/** A function between two domains that is drawn with grips (rule I-2). */
export const GRAPH_MAPPER = defineParameter({
  guid: 'bc984576-7aa6-491f-a91d-e444c33675a7',
  description: 'Maps numbers by a graph that is drawn with grips. Supported is the Bezier graph.',
  change: (data, context) => {
    const graph = readGraph(context)
    if (typeof graph === 'string') {
      context.limit(graph)
      return data
    }
    return mapValues(data, (value) => (typeof value === 'number' ? mapNumber(graph, value, context) : value))
  },
})

/** A cubic Bezier curve in the unit square, whose first coordinate never decreases. */
interface BezierGraph {
  readonly xs: Cubic
  readonly ys: Cubic
  readonly from: Domain
  readonly to: Domain
}

/** The four control values of one coordinate. */
type Cubic = readonly [number, number, number, number]

/** The graph of a node, or the reason why it cannot be computed. */
function readGraph({ node: { state } }: RunContext): BezierGraph | string {
  if (state?.kind !== 'graphMapper' || typeof state.graph !== 'string') return 'The Graph Mapper has no graph'
  if (state.graph !== 'Bezier') return `The graph ${state.graph} of a Graph Mapper is not supported`
  const points = Array.isArray(state.points) ? state.points : []
  const [xs, ys] = [0, 1].map((i) => readCubic(points, i))
  const [from, to] = [state.x, state.y].map(readRange)
  if (!xs || !ys || !from || !to) return 'The graph of the Graph Mapper is not complete'
  const isFunction = xs[0] < xs[3] && [xs[1], xs[2]].every((x) => x >= xs[0] && x <= xs[3])
  if (!isFunction) return 'The graph of the Graph Mapper has several values for one number'
  if (from.start === from.end) return 'The domain of the Graph Mapper has no length'
  return { xs, ys, from, to }
}

function readCubic(points: readonly unknown[], coordinate: number): Cubic | undefined {
  const values = points.map((point) => (Array.isArray(point) ? Number(point[coordinate]) : Number.NaN))
  const [a, b, c, d, ...more] = values
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  return more.length === 0 && values.every(Number.isFinite) ? [a, b, c, d] : undefined
}

function readRange(range: unknown): Domain | undefined {
  const { start, end } = (range ?? {}) as Record<string, unknown>
  return Number.isFinite(start) && Number.isFinite(end) ? domain(start as number, end as number) : undefined
}

/** Numbers outside of the domain have the value of its end. */
function mapNumber({ xs, ys, from, to }: BezierGraph, value: number, context: RunContext): number | null {
  if (Number.isNaN(value)) {
    context.limit('What a Graph Mapper returns for NaN is not known')
    return null
  }
  const x = clampTo(domain(xs[0], xs[3]), (value - from.start) / (from.end - from.start))
  return interpolateDomain(to, evaluateCubic(ys, findParameter(xs, x)))
}

/** More halvings do not change a number between 0 and 1. */
const HALVINGS = 60

/** The parameter of a coordinate that never decreases, by bisection. */
function findParameter(xs: Cubic, x: number): number {
  if (x <= xs[0]) return 0
  if (x >= xs[3]) return 1
  checkpoint(HALVINGS)
  let [low, high] = [0, 1]
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (evaluateCubic(xs, middle) < x) low = middle
    else high = middle
  }
  return (low + high) / 2
}

function evaluateCubic([a, b, c, d]: Cubic, t: number): number {
  const s = 1 - t
  return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
}
