import type { GraphContent, Node, PortReference } from '@meadow/contract'
import { formatPath } from '@meadow/document'
import { COARSE, ROUGH } from '@meadow/drawing'
import { createDrawCache, type Draw, drawSolution } from '@meadow/drawing/scene'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import type { Kernels } from '@meadow/geometry/kernels/kernels'
import { decodeGeometry } from '@meadow/model/decode'
import {
  countData,
  type Data,
  loadKernels,
  type Solution,
  solve,
  summarizeSolution,
  toWireTree,
} from '@meadow/solver'
import { findServerPart } from '../needs-server.ts'
import type {
  ContentChange,
  DrawStyle,
  Obstacle,
  PortPage,
  PreviewLimits,
  PreviewSummary,
} from '../preview-messages.ts'

/** Solves a document again and again, each time from what has changed. */
export interface Previewer {
  solve(change: ContentChange, view?: PreviewView, limits?: PreviewLimits): Promise<PreviewOutcome>
  /** The data of a port in the last solution. */
  readPort(port: PortReference, from: number, limit: number): PortPage | undefined
}

/** What is drawn, and how. */
export interface PreviewView {
  /** Nodes whose geometry is drawn although their preview is off. */
  selectedIds?: readonly string[]
  style?: DrawStyle
}

export type PreviewOutcome =
  | {
      /** The summary; undefined if it is the same as before. */
      summary: PreviewSummary | undefined
      panels: ReadonlyMap<string, PortPage>
      scene: readonly Uint8Array<ArrayBuffer>[]
    }
  | { obstacle: Obstacle | 'cyclic' }

/** What a browser can solve and draw between two movements of a hand, or nearly so. */
const LIMITS: PreviewLimits = { deadlineMs: 1500, maxBytes: 2 ** 28, maxVertices: 1_000_000 }

/** The number of values of a port that a panel shows. */
const PANEL_VALUES = 100

export function createPreviewer(usual = LIMITS): Previewer {
  const draws: Record<DrawStyle, Draw> = {
    rough: createDrawCache(ROUGH),
    plain: createDrawCache({ ...COARSE, isPlain: true }),
    usual: createDrawCache(),
  }
  let nodes: ReadonlyMap<string, Node> = new Map()
  let last: { document: GraphContent; solution: Solution } | undefined
  let lastSummary = ''
  let kernels: Kernels = {}

  async function solveContent({
    deadlineMs,
    maxBytes,
  }: PreviewLimits): Promise<Solution | { obstacle: Obstacle | 'cyclic' }> {
    if (nodes.values().some(findServerPart)) return { obstacle: 'content' }
    const document: GraphContent = { nodes: Object.fromEntries(nodes), groups: [], configuration: NO_PINS }
    // The kernels are kept from solve to solve: what an earlier solve left in them is freed.
    kernels = { ...kernels, ...(await loadKernels(document, undefined, kernels)) }
    try {
      const previous = last && { previous: last }
      const solution = solve(document, { deadlineMs, maxBytes, decodeGeometry, kernels, ...previous })
      last = { document, solution }
      return solution
    } catch (error) {
      if (!(error instanceof SolveError)) throw error
      return { obstacle: error.code === 'document_cyclic' ? 'cyclic' : 'size' }
    }
  }

  return {
    async solve(change, { selectedIds = [], style = 'usual' } = {}, limits = usual) {
      nodes = applyChange(nodes, change)
      if (change.isWhole) lastSummary = ''
      const solution = await solveContent(limits)
      if ('obstacle' in solution) return solution
      const selected = new Set(selectedIds)
      const isDrawn = (id: string) => selected.has(id) || nodes.get(id)!.status.isPreviewed
      const scene = drawSolution(solution, { isDrawn, maxVertices: limits.maxVertices, draw: draws[style] })
      if (scene.isTruncated) return { obstacle: 'size' }
      const pieces = [...scene.finish()]
      const summary = summarize(solution)
      const text = JSON.stringify(summary)
      const isNew = text !== lastSummary
      lastSummary = text
      return {
        summary: isNew ? summary : undefined,
        panels: readPanels(nodes.values(), solution),
        scene: pieces,
      }
    },
    readPort({ nodeInstanceId, portInstanceId }, from, limit) {
      const data = last?.solution.ports.get(nodeInstanceId)?.get(portInstanceId)
      return data && readPortPage(data, from, limit)
    },
  }
}

const NO_PINS = { inputs: [], outputs: [] }

function applyChange(before: ReadonlyMap<string, Node>, change: ContentChange): ReadonlyMap<string, Node> {
  const after = new Map(change.isWhole ? [] : before)
  for (const id of change.removedIds) after.delete(id)
  for (const node of change.nodes) after.set(node.instanceId, node)
  return after
}

/** Returns a summary without durations, which would differ each time. */
function summarize(solution: Solution): PreviewSummary {
  const { messages, nodes } = summarizeSolution({ ...solution, durationsMs: new Map() })
  return { messages, nodes, completeness: solution.completeness }
}

function readPanels(nodes: Iterable<Node>, { ports }: Solution): ReadonlyMap<string, PortPage> {
  const pages = new Map<string, PortPage>()
  for (const { instanceId, state, sources } of nodes) {
    if (state?.kind !== 'panel' || !sources[instanceId]) continue
    const data = ports.get(instanceId)?.get(instanceId)
    if (data) pages.set(instanceId, readPortPage(data, 0, PANEL_VALUES))
  }
  return pages
}

/** A page of the values of a port: those from number `from` on, counted through all branches. */
function readPortPage(data: Data, from: number, limit: number): PortPage {
  const counts = countData(data)
  const page: PortPage = { ...counts, tree: { branches: [] }, firstIndex: 0, next: null }
  const to = from + limit
  let first = 0
  for (const { path, values } of data.branches) {
    const [start, end] = [Math.max(from - first, 0), Math.min(to - first, values.length)]
    const isEmptyHere = values.length === 0 && first >= from && first < to
    if (start < end || isEmptyHere) {
      if (page.tree.branches.length === 0) page.firstIndex = start
      const [branch] = toWireTree({ branches: [{ path, values: values.slice(start, end) }] }).branches
      page.tree.branches.push(branch ?? { path: formatPath(path), values: [] })
    }
    first += values.length
    if (first >= to) break
  }
  if (counts.values > to) page.next = to
  return page
}
