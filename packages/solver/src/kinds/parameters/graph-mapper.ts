import { checkpoint } from '@meadow/geometry/budget/budget'
import { type Domain, domain } from '@meadow/geometry/values/value'
import { mapValues } from '../../tree/tree.ts'
import { defineParameter, type RunContext } from '../declaration/define-kind.ts'
import { clampTo, interpolateDomain } from '../maths/domains.ts'

/** A function between two domains that is drawn with grips (rule I-2). */
export const GRAPH_MAPPER = defineParameter({
  guid: 'bc984576-7aa6-491f-a91d-e444c33675a7',
  description: 'Maps numbers by a graph that is drawn with grips: Bezier, Linear, Sine and Sine Summation.',
  change: (data, context) => {
    const graph = readGraph(context)
    if (typeof graph === 'string') {
      context.limit(graph)
      return data
    }
    return mapValues(data, (value) => (typeof value === 'number' ? mapNumber(graph, value, context) : value))
  },
})

/** A function of the unit interval, and the domains that it maps from and to. */
interface Graph {
  readonly height: (x: number) => number
  readonly from: Domain
  readonly to: Domain
}

/** The four control values of one coordinate. */
type Cubic = readonly [number, number, number, number]

type Grip = readonly [x: number, y: number]

/** The graph of a node, or the reason why it cannot be computed. */
function readGraph({ node: { state } }: RunContext): Graph | string {
  if (state?.kind !== 'graphMapper' || typeof state.graph !== 'string') return 'The Graph Mapper has no graph'
  const shape = Object.hasOwn(SHAPES, state.graph) ? SHAPES[state.graph] : undefined
  if (!shape) return `The graph ${state.graph} of a Graph Mapper is not supported`
  const grips = readGrips(state.points)
  const [from, to] = [state.x, state.y].map(readRange)
  if (grips.length !== shape.grips || !from || !to) return 'The graph of the Graph Mapper is not complete'
  const height = shape.create(grips)
  if (!height) return 'The graph of the Graph Mapper has several values for one number'
  if (from.start === from.end) return 'The domain of the Graph Mapper has no length'
  return { height, from, to }
}

/** The supported graphs: how many grips they have, and the function that these define, if they define one. */
const SHAPES: Readonly<
  Record<string, { grips: number; create: (grips: readonly Grip[]) => Graph['height'] | undefined }>
> = {
  Bezier: { grips: 4, create: createBezier },
  Linear: { grips: 2, create: ([one, other]) => createLine(one as Grip, other as Grip) },
  Sine: { grips: 2, create: ([one, other]) => createWave(one as Grip, other as Grip) },
  'Sine Summation': {
    grips: 4,
    create: ([a, b, c, d]) => {
      const waves = [createWave(a as Grip, b as Grip), createWave(c as Grip, d as Grip)]
      return waves.every((wave) => wave)
        ? (x) => waves.reduce((sum, wave) => sum + (wave?.(x) ?? 0), 0)
        : undefined
    },
  },
}

/** A cubic Bezier curve whose first coordinate never decreases. */
function createBezier(grips: readonly Grip[]): Graph['height'] | undefined {
  const [xs, ys] = [0, 1].map((i) => grips.map((grip) => grip[i])) as [unknown, unknown] as [Cubic, Cubic]
  const isFunction = xs[0] < xs[3] && [xs[1], xs[2]].every((x) => x >= xs[0] && x <= xs[3])
  return isFunction ? (x) => evaluateCubic(ys, findParameter(xs, x)) : undefined
}

function createLine([x0, y0]: Grip, [x1, y1]: Grip): Graph['height'] | undefined {
  return x0 === x1 ? undefined : (x) => y0 + ((y1 - y0) * (x - x0)) / (x1 - x0)
}

/** The wave with a crest at one of two grips and the next trough at the other. */
function createWave([x0, y0]: Grip, [x1, y1]: Grip): Graph['height'] | undefined {
  if (x0 === x1) return undefined
  return (x) => (y0 + y1) / 2 + ((y0 - y1) / 2) * Math.cos((Math.PI * (x - x0)) / (x1 - x0))
}

/** The grips in unit coordinates; none if a coordinate is not a number. */
function readGrips(points: unknown): readonly Grip[] {
  const grips = (Array.isArray(points) ? points : []).map((point): Grip => {
    const [x, y] = Array.isArray(point) ? point.map(Number) : []
    return [x ?? Number.NaN, y ?? Number.NaN]
  })
  return grips.flat().every(Number.isFinite) ? grips : []
}

function readRange(range: unknown): Domain | undefined {
  const { start, end } = (range ?? {}) as Record<string, unknown>
  return Number.isFinite(start) && Number.isFinite(end) ? domain(start as number, end as number) : undefined
}

/** Numbers outside of the domain have the value of its end. */
function mapNumber({ height, from, to }: Graph, value: number, context: RunContext): number | null {
  if (Number.isNaN(value)) {
    context.limit('What a Graph Mapper returns for NaN is not known')
    return null
  }
  const y = height(clampTo(domain(0, 1), (value - from.start) / (from.end - from.start)))
  if (y < -SLACK || y > 1 + SLACK) {
    context.limit('What a Graph Mapper returns where its graph leaves its frame is not known')
    return null
  }
  return interpolateDomain(to, y)
}

/** Rounding leads no further beyond the frame. */
const SLACK = 1e-12

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
