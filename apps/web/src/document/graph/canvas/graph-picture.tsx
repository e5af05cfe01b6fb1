import { useComputedColorScheme } from '@mantine/core'
import type { GraphContent } from '@meadow/contract'
import { ViewportPortal } from '@xyflow/react'
import { memo, useMemo } from 'react'
import {
  areaOf,
  type Drag,
  EMPTY_PART,
  type GraphPart,
  type SplitGraph,
  splitByDrag,
  stretchPart,
} from '../layout/drag.ts'
import type { GroupBox } from '../layout/groups.ts'
import { intersect, moveBy } from '../layout/rectangle.ts'
import type { DrawnWire } from '../layout/wires.ts'
import { useGraph } from '../nodes/graph-context.ts'
import styles from './graph-canvas.module.css'
import { paintGraph } from './paint-graph.ts'
import { type Paint, Picture } from './picture.tsx'
import type { RenderedView } from './viewport.ts'

interface GraphPictureProps {
  nodes: GraphContent['nodes']
  wires: readonly DrawnWire[]
  groups: readonly GroupBox[]
  view: RenderedView
  drag: Drag | undefined
  /** Whether nodes are not elements of the page. */
  isPainted: boolean
  selectedIds: ReadonlySet<string>
  selectedWires: ReadonlySet<string>
}

/**
 * All groups, wires and nodes of a graph, painted on canvas elements: thousands of DOM elements would be too slow to move.
 * Nodes are painted also where elements cover them, because these are added some frames later. Dragged parts have
 * pictures of their own, so that the rest is not painted again.
 */
export const GraphPicture = memo(function GraphPicture(props: GraphPictureProps) {
  const { nodes, wires, groups, view, drag } = props
  const draggedIds = drag?.ids
  const back = useMemo(() => splitByDrag({ ...EMPTY_PART, groups }, draggedIds), [groups, draggedIds])
  const front = useMemo(
    () => splitByDrag({ nodes: Object.values(nodes), wires, groups: [] }, draggedIds),
    [nodes, wires, draggedIds],
  )
  const layer = { view, drag, nodes, paintPart: usePaint(props) }
  return (
    <ViewportPortal>
      <div data-wires={wires.length} data-groups={groups.length}>
        {groups.length > 0 && <Layer {...layer} {...BACK} parts={back} />}
        <Layer {...layer} {...FRONT} parts={front} />
      </div>
    </ViewportPortal>
  )
})

type PaintPart = (part: GraphPart) => Paint

function usePaint({ view, isPainted, selectedIds, selectedWires }: GraphPictureProps): PaintPart {
  const { solution, messages } = useGraph()
  const scheme = useComputedColorScheme('light')
  const { zoom } = view
  return useMemo(() => {
    const look = { scheme, solution, messages, selectedIds, selectedWires }
    return (part) => (context, area, scale) => {
      const { fontFamily } = getComputedStyle(context.canvas)
      return paintGraph(context, part, look, { area, zoom, scale, fontFamily, skipsNotes: !isPainted })
    }
  }, [zoom, isPainted, scheme, solution, messages, selectedIds, selectedWires])
}

interface LayerProps {
  parts: SplitGraph
  nodes: GraphContent['nodes']
  view: RenderedView
  drag: Drag | undefined
  paintPart: PaintPart
  className: string | undefined
  /** The class of the stretched part. Stretched groups contain other groups, so they are behind them. */
  stretchedClassName: string | undefined
  maxDensity: number
}

/** Groups, whose fills need no more than one pixel per CSS pixel. */
const BACK = { className: styles.groups, stretchedClassName: styles.stretchedGroups, maxDensity: 1 }
/** Wires and nodes. */
const FRONT = { className: undefined, stretchedClassName: undefined, maxDensity: 2 }

function Layer({ parts, nodes, view, drag, paintPart, ...look }: LayerProps) {
  const { stretchedClassName, ...picture } = look
  const paintFixed = useMemo(() => paintPart(parts.fixed), [paintPart, parts])
  const dragged = drag && { view, drag, paintPart }
  return (
    <>
      <Picture area={view.area} zoom={view.zoom} paint={paintFixed} {...picture} />
      {dragged && <Moved {...dragged} part={parts.moved} {...picture} />}
      {dragged && (
        <Stretched
          {...dragged}
          part={parts.stretched}
          nodes={nodes}
          {...picture}
          className={stretchedClassName}
        />
      )}
    </>
  )
}

interface DraggedProps extends Pick<LayerProps, 'view' | 'paintPart' | 'className' | 'maxDensity'> {
  part: GraphPart
  drag: Drag
}

/**
 * The part that moves without changing its shape. It is painted again only after each fifth of the view, when more is
 * visible.
 */
function Moved({ part, view, drag, paintPart, ...picture }: DraggedProps) {
  const paint = useMemo(() => paintPart(part), [paintPart, part])
  const bounds = useMemo(() => areaOf(part), [part])
  const { left, top, right, bottom } = view.area
  const roundToFifth = (by: number, size: number) => Math.round(by / (size / 5)) * (size / 5)
  const [x, y] = [roundToFifth(drag.x, right - left), roundToFifth(drag.y, bottom - top)]
  const area = bounds && intersect(bounds, moveBy(view.area, -x, -y))
  const transform = `translate(${drag.x}px, ${drag.y}px)`
  return area && <Picture area={area} zoom={view.zoom} paint={paint} transform={transform} {...picture} />
}

/** The part between dragged nodes and others, which changes its shape. */
function Stretched({
  part,
  nodes,
  view,
  drag,
  paintPart,
  ...picture
}: DraggedProps & Pick<LayerProps, 'nodes'>) {
  const stretched = useMemo(() => stretchPart(part, nodes, drag), [part, nodes, drag])
  const paint = useMemo(() => paintPart(stretched), [paintPart, stretched])
  const bounds = areaOf(stretched)
  const area = bounds && intersect(bounds, view.area)
  return area && <Picture area={area} zoom={view.zoom} paint={paint} {...picture} />
}
