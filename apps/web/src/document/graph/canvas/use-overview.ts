import { useComputedColorScheme } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import { useEffect, useState } from 'react'
import type { Scheme } from '../layout/colours.ts'
import type { GraphPart } from '../layout/drag.ts'
import { areaOf, EMPTY_PART } from '../layout/drag.ts'
import type { GroupBox } from '../layout/groups.ts'
import { grow, type Rectangle } from '../layout/rectangle.ts'
import type { DrawnWire } from '../layout/wires.ts'
import { useGraph } from '../nodes/graph-context.ts'
import { type GraphLook, paintGraph } from './paint-graph.ts'
import { resetContext } from './picture.tsx'

/** A small picture of a whole graph. */
export interface Overview {
  canvas: HTMLCanvasElement
  /** The part of the canvas that it shows, in canvas units. */
  area: Rectangle
  /** The colours that it is painted in: for a while those that the page had before. */
  scheme: Scheme
}

/** The largest length of the picture's longer side, in device pixels. */
const MAX_SIZE = 1600
/** The largest number of pixels per canvas unit, which is enough for small graphs. */
const MAX_SCALE = 0.5
const MARGIN = 40
/** How long the graph has to stay unchanged before it is painted, in milliseconds. */
const REST_MS = 400
/** The number of wires or nodes that are painted at a time, so that the page never waits long. */
const CHUNK = 1200

const NONE: ReadonlySet<string> = new Set()

/**
 * Returns the overview, which is painted again some time after a change of the graph, in small steps between frames.
 */
export function useOverview(
  { nodes }: GraphContent,
  wires: readonly DrawnWire[],
  groups: readonly GroupBox[],
): Overview | undefined {
  const { solution, messages } = useGraph()
  const scheme = useComputedColorScheme('light')
  const [overview, setOverview] = useState<Overview>()
  useEffect(() => {
    const look: GraphLook = { scheme, solution, messages, selectedIds: NONE, selectedWires: NONE }
    const steps = paintInSteps({ nodes: Object.values(nodes), wires, groups }, look)
    let timer = window.setTimeout(next, REST_MS)
    function next() {
      const { value, done } = steps.next()
      if (done) setOverview(value)
      else timer = window.setTimeout(next)
    }
    return () => clearTimeout(timer)
  }, [nodes, wires, groups, scheme, solution, messages])
  return overview
}

function* paintInSteps(graph: GraphPart, look: GraphLook): Generator<undefined, Overview | undefined> {
  const bounds = areaOf(graph)
  if (!bounds) return undefined
  const area = grow(bounds, MARGIN)
  const scale = Math.min(MAX_SCALE, MAX_SIZE / Math.max(area.right - area.left, area.bottom - area.top))
  const canvas = document.createElement('canvas')
  canvas.dataset.scheme = look.scheme
  const context = resetContext(canvas, area, scale)
  if (!context) return undefined
  const { fontFamily } = getComputedStyle(document.body)
  const detail = { area, zoom: scale, scale, fontFamily, skipsNotes: false }
  for (const part of splitInChunks(graph)) {
    const names = paintGraph(context, part, look, detail)
    do yield
    while (!names.next().done)
  }
  return { canvas, area, scheme: look.scheme }
}

function* splitInChunks({ groups, wires, nodes }: GraphPart): Generator<GraphPart> {
  yield { ...EMPTY_PART, groups }
  for (let from = 0; from < wires.length; from += CHUNK)
    yield { ...EMPTY_PART, wires: wires.slice(from, from + CHUNK) }
  for (let from = 0; from < nodes.length; from += CHUNK)
    yield { ...EMPTY_PART, nodes: nodes.slice(from, from + CHUNK) }
}
