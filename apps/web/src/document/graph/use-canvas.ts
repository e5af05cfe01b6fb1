import type { GraphContent } from '@meadow/contract'
import { moveNodes } from '@meadow/document/live'
import { useCallback, useRef, useState } from 'react'
import type { LiveSession } from '../live/live-session.ts'
import type { GraphStore } from '../state/store.ts'
import type { CanvasPoint, GraphCanvasProps } from './canvas/graph-canvas.tsx'
import { useArrival } from './canvas/use-arrival.ts'
import { useRovingFocus } from './canvas/use-roving-focus.ts'
import { useFollowGraph } from './canvas/viewport.ts'
import { copyNodes } from './editing/clipboard.ts'
import { deleteSelection, layWire } from './editing/edits.ts'
import { useGraphKeys } from './editing/use-graph-keys.ts'
import { positionsOf } from './layout/drag.ts'
import type { GraphContextValue } from './nodes/graph-context.ts'
import type { Insertion } from './palette/use-insertion.ts'
import type { Hover, HoveredPort } from './panels/use-hover.ts'
import type { ShowPanels } from './panels/use-panels.ts'

interface CanvasInput {
  content: GraphContent
  live: LiveSession | undefined
  store: GraphStore
  context: GraphContextValue
  show: ShowPanels
  /** Shows the properties of a node. */
  inspect: (nodeId: string) => void
  hover: Hover<HoveredPort>
  insertion: Insertion
}

/** Returns what the canvas shows and reports, as edits of the document, and has the keys of the canvas do the same. */
export function useCanvas({ content, live, store, context, show, inspect, ...input }: CanvasInput) {
  const { hover, insertion } = input
  const { doc, origin, edit, openCluster } = context
  const { selectedIds, select, viewState } = store
  const tell = live?.show
  const roving = useRovingFocus(content)
  const pointer = useRef<CanvasPoint['canvas']>(undefined)
  const [selectedWires, setSelectedWires] = useState<ReadonlySet<string>>(new Set())
  const kindOf = (nodeId: string) => content.nodes[nodeId]?.state?.kind
  const onInspect = (nodeId: string) => (kindOf(nodeId) === 'cluster' ? openCluster(nodeId) : inspect(nodeId))
  const onOpenPalette = (paletteAt: CanvasPoint) => show({ paletteAt })
  useGraphKeys({
    ...{ content, selectedIds, onSelect: select, edit, origin, isOff: !doc, pointer, onOpenPalette },
    onFind: () => show({ isFinding: true }),
    onBrowse: insertion.toggleDock,
    onInspect: () => [...selectedIds].slice(0, 1).forEach(inspect),
    onLeave: () => {
      if (viewState.clusterIds.length > 0) viewState.go({ clusterIds: viewState.clusterIds.slice(0, -1) })
    },
    onRemove: () =>
      edit((live) => {
        deleteSelection(live, content, { nodeIds: selectedIds, wireIds: selectedWires }, origin)
        setSelectedWires(new Set())
        select(new Set())
      }),
  })
  useArrivals(content, store, roving.go)
  return {
    ...{ content, isReadOnly: !doc, selectedIds, selectedWires, roving },
    ...{ onInspect, onOpenPalette },
    onDropped: (drag, isCopy) =>
      edit((live) => {
        if (isCopy) select(copyNodes(live, content, drag, origin))
        else moveNodes(live, positionsOf(drag, content), origin)
      }),
    onDragged: (drag) => tell?.({ drag: drag ?? null }),
    onSelect(ids) {
      select(ids)
      tell?.({ selection: [...ids] })
    },
    onSelectWires(ids) {
      setSelectedWires(ids)
      hover.hide()
    },
    onWire: (wire, mode) => edit((live) => layWire(live, content, wire, mode, origin)),
    onMenu: (at, nodeId) => show({ menu: { at, nodeId } }),
    onOpen(nodeId) {
      if (kindOf(nodeId) === 'cluster' || kindOf(nodeId) === 'script') onInspect(nodeId)
    },
    onPointer(position) {
      pointer.current = position
      tell?.({ cursor: position ?? null })
    },
  } satisfies Partial<GraphCanvasProps>
}

/** Selects the nodes that the reader is led to, and leads the canvas to them and to named views. */
function useArrivals(
  content: GraphContent,
  { select, viewState }: GraphStore,
  focus: (nodeId: string) => void,
) {
  const arrive = useCallback(
    (nodeIds: readonly string[]) => {
      select(new Set(nodeIds))
      focus(nodeIds[0]!)
    },
    [select, focus],
  )
  useArrival(viewState.arrival, content, arrive)
  useFollowGraph(viewState.clusterIds, viewState.follow)
}
