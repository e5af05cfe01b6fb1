import { useComputedColorScheme } from '@mantine/core'
import type { GraphContent, Node } from '@meadow/contract'
import { ViewportPortal } from '@xyflow/react'
import { memo, useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { type DrawnWire, follow } from './drawn-wires.ts'
import type { Drag } from './flow.ts'
import styles from './graph-canvas.module.css'
import { type GraphContextValue, useGraph } from './graph-context.ts'
import { shapeOf } from './node-shape.ts'
import { type FarLook, paintNodes, paintWires } from './paint-graph.ts'
import type { Rectangle } from './rectangle.ts'
import { type Cover, FAR } from './use-cover.ts'
import { wireStyleOf } from './wire-style.ts'

interface GraphPictureProps {
  nodes: GraphContent['nodes']
  wires: readonly DrawnWire[]
  cover: Cover
  drag: Drag | undefined
  /** Whether nodes are painted too: there are many, and they are far away. */
  isPainted: boolean
  selectedIds: ReadonlySet<string>
  selectedWires: ReadonlySet<string>
}

/**
 * All wires of a document, and nodes that are too small to be read: as pictures, for thousands of elements of the page
 * could not be moved fluidly. What is being dragged is a picture of its own, so that nothing else is painted again.
 */
export const GraphPicture = memo(function GraphPicture(props: GraphPictureProps) {
  const { nodes, wires, cover, drag, isPainted, selectedIds, selectedWires } = props
  const { solution, messages } = useGraph()
  const scheme = useComputedColorScheme('light')
  const still = useRef<HTMLCanvasElement>(null)
  const stretched = useRef<HTMLCanvasElement>(null)
  const carried = useRef<HTMLCanvasElement>(null)
  const dragged = drag?.ids
  const parts = useMemo(() => splitByDrag(nodes, wires, dragged), [nodes, wires, dragged])
  const paint = useCallback(
    (canvas: HTMLCanvasElement | null, area: Rectangle, some: Part) => {
      const context = canvas && openContext(canvas, { area, zoom: cover.zoom })
      if (!context) return
      paintWires(context, some.wires, {
        cover: area,
        isFar: isPainted && cover.zoom < FAR / 2,
        scheme,
        styleOf: ({ from }) => wireStyleOf(solution?.nodes[from.nodeInstanceId]?.ports[from.portInstanceId]),
        isSelected: ({ id }) => selectedWires.has(id),
      })
      if (isPainted)
        paintNodes(context, some.nodes, {
          cover: area,
          scheme,
          lookOf: (node) => lookOf(node, selectedIds, messages),
        })
    },
    [cover.zoom, isPainted, scheme, solution, messages, selectedIds, selectedWires],
  )
  const { left, top, right, bottom } = cover.area
  const [width, height] = [right - left, bottom - top]
  // What is carried is painted again when it was carried far enough for more of it to come into sight.
  const away = (by: number, size: number) => Math.round(by / (size / 5)) * (size / 5)
  const [awayX, awayY] = [away(drag?.x ?? 0, width), away(drag?.y ?? 0, height)]
  useLayoutEffect(() => paint(still.current, cover.area, parts.still), [paint, cover, parts])
  useLayoutEffect(() => {
    if (!dragged) return
    const area = { left: left - awayX, top: top - awayY, right: right - awayX, bottom: bottom - awayY }
    paint(carried.current, area, parts.carried)
  }, [paint, parts, dragged, left, top, right, bottom, awayX, awayY])
  useLayoutEffect(() => {
    if (!drag) return
    const wires = parts.stretched.map((wire) => follow(wire, drag))
    paint(stretched.current, cover.area, { wires, nodes: [] })
  }, [paint, cover, parts, drag])
  return (
    <ViewportPortal>
      <canvas
        ref={still}
        className={styles.picture}
        style={{ left, top, width, height }}
        data-wires={wires.length}
        aria-hidden
      />
      {drag && (
        <>
          <canvas
            ref={stretched}
            className={styles.picture}
            style={{ left, top, width, height }}
            aria-hidden
          />
          <canvas
            ref={carried}
            className={styles.picture}
            style={{
              left,
              top,
              width,
              height,
              transform: `translate(${drag.x - awayX}px, ${drag.y - awayY}px)`,
            }}
            aria-hidden
          />
        </>
      )}
    </ViewportPortal>
  )
})

interface Part {
  nodes: readonly Node[]
  wires: readonly DrawnWire[]
}

/** What stays where it is, what moves as it is, and the wires between those, which change their shape. */
function splitByDrag(
  nodes: GraphContent['nodes'],
  wires: readonly DrawnWire[],
  dragged: ReadonlySet<string> | undefined,
): { still: Part; carried: Part; stretched: readonly DrawnWire[] } {
  const all = Object.values(nodes)
  if (!dragged) return { still: { nodes: all, wires }, carried: { nodes: [], wires: [] }, stretched: [] }
  const endsIn = ({ from, to }: DrawnWire) =>
    Number(dragged.has(from.nodeInstanceId)) + Number(dragged.has(to.nodeInstanceId))
  const byEnds = Map.groupBy(wires, endsIn)
  return {
    still: {
      nodes: all.filter(({ instanceId }) => !dragged.has(instanceId)),
      wires: byEnds.get(0) ?? [],
    },
    carried: {
      nodes: all.filter(({ instanceId }) => dragged.has(instanceId)),
      wires: byEnds.get(2) ?? [],
    },
    stretched: byEnds.get(1) ?? [],
  }
}

/** An empty canvas of a sharp size, that takes canvas units. */
function openContext(canvas: HTMLCanvasElement, { area, zoom }: Cover): CanvasRenderingContext2D | undefined {
  const scale = zoom * Math.min(devicePixelRatio, 2)
  canvas.width = Math.ceil((area.right - area.left) * scale)
  canvas.height = Math.ceil((area.bottom - area.top) * scale)
  const context = canvas.getContext('2d')
  context?.setTransform(scale, 0, 0, scale, -area.left * scale, -area.top * scale)
  return context ?? undefined
}

function lookOf(
  node: Node,
  selectedIds: ReadonlySet<string>,
  messages: GraphContextValue['messages'],
): FarLook {
  if (selectedIds.has(node.instanceId)) return 'selected'
  if (!node.status.isEnabled) return 'disabled'
  const said = messages.get(node.instanceId)
  if (said?.some(({ level }) => level === 'error')) return 'error'
  if (said?.some(({ level }) => level === 'warning')) return 'warning'
  if (shapeOf(node) === 'panel') return 'panel'
  return node.status.isPreviewed ? 'plain' : 'hidden'
}
