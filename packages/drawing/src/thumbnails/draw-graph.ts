import type { GraphContent, Group, Node } from '@meadow/contract'
import type { NodeState, Size } from '@meadow/document'
import { MARGIN, type PictureSize } from './draw-shapes.ts'
import { createFlat, createRaster, type Raster, type Rgba, SAMPLES } from './raster.ts'

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The colours of a graph, which are visible on light and on dark. */
const COMPONENT: Rgba = [196, 204, 199, 255]
const DISABLED: Rgba = [158, 162, 160, 255]
const PANEL: Rgba = [236, 221, 150, 255]
const NAME: Rgba = [62, 74, 67, 255]
const BORDER: Rgba = [93, 99, 96, 255]
const WIRE: Rgba = [120, 131, 125, 255]

/** The maximum number of pixels per unit of the canvas, so that a single node does not fill the picture. */
const LARGEST_SCALE = 1.2
/** How far a group reaches beyond its nodes, in units of the canvas, as on the canvas. */
const AROUND_NODES = 14
/** The maximum number of nodes that are drawn: the picture does not have many more pixels. */
const MAX_NODES = 20_000
const MAX_WIRES = 20_000
/** The number of straight pieces of a curved wire. */
const PIECES = 14

/** The distance of the dots of an empty canvas, in samples, and their size. */
const DOTS = { apart: 60, size: 4 }

/**
 * Returns the pixels of a picture of a graph, in the form of `Raster.resolve`, with boxes, wires and groups. An empty
 * graph is drawn as an empty canvas.
 */
export function drawGraph({ nodes, groups }: GraphContent, { width, height }: PictureSize): Uint8Array {
  const raster = createRaster(width, height)
  const boxes = new Map<string, Box>()
  for (const node of Object.values(nodes).slice(0, MAX_NODES)) boxes.set(node.instanceId, outlineOf(node))
  const areas = listAreas(groups, boxes)
  const bounds = unite([...boxes.values(), ...areas.map(({ box }) => box)])
  if (bounds) {
    const place = fit(bounds, raster)
    for (const { box, colour } of areas) fill(raster, place(box), colour)
    paintWires(raster, nodes, boxes, place)
    for (const [id, box] of boxes) paintNode(raster, nodes[id]!, place(box))
  } else paintDots(raster)
  return raster.resolve()
}

function paintDots(raster: Raster): void {
  const { apart, size } = DOTS
  for (let top = apart / 2; top < raster.height; top += apart)
    for (let left = apart / 2; left < raster.width; left += apart)
      fill(raster, { left, top, right: left + size, bottom: top + size }, WIRE)
}

/** Moves a box to its place on the raster, scaled so that all boxes are on it. */
type Place = ((box: Box) => Box) & { scale: number }

function fit({ left, top, right, bottom }: Box, { width, height }: Raster): Place {
  const room = 1 - 2 * MARGIN
  const scale = Math.min(
    (room * width) / (right - left),
    (room * height) / (bottom - top),
    LARGEST_SCALE * SAMPLES,
  )
  const x = (value: number) => width / 2 + scale * (value - (left + right) / 2)
  const y = (value: number) => height / 2 + scale * (value - (top + bottom) / 2)
  const place = (box: Box) => ({
    left: x(box.left),
    top: y(box.top),
    right: x(box.right),
    bottom: y(box.bottom),
  })
  return Object.assign(place, { scale })
}

function unite(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined
  const all = { ...boxes[0]! }
  for (const { left, top, right, bottom } of boxes) {
    all.left = Math.min(all.left, left)
    all.top = Math.min(all.top, top)
    all.right = Math.max(all.right, right)
    all.bottom = Math.max(all.bottom, bottom)
  }
  return all
}

// Nodes.

/** The width of a character of a name, in units of the canvas. */
const CHARACTER = 6.5
/** The width of the dark box in the middle of a component, which has its name. */
const NAME_WIDTH = 26
const PORT_HEIGHT = 20

/** Returns about the place where the canvas draws a node: in a small picture the difference is invisible. */
function outlineOf(node: Node): Box {
  const { x, y } = node.position
  const state = node.state as NodeState | undefined
  const points =
    state?.kind === 'sketch' ? state.lines.flat() : state?.kind === 'scribble' ? state.corners : []
  const drawn = unite(
    points.map(([dx, dy]) => ({ left: x + dx, top: y + dy, right: x + dx, bottom: y + dy })),
  )
  if (drawn) return drawn
  const { width, height } = sizeOf(node, state)
  const isCorner = state?.kind === 'slider' || state?.kind === 'panel' || state?.kind === 'scribble'
  const [left, top] = isCorner ? [x, y] : [x - width / 2, y - height / 2]
  return { left, top, right: left + width, bottom: top + height }
}

function sizeOf(node: Node, state: NodeState | undefined): Size {
  const own = (state as { size?: Size } | undefined)?.size
  const label = CHARACTER * (node.nickName || node.name).length
  switch (state?.kind) {
    case 'slider':
      return { width: Math.max(own?.width ?? 220, label + 110), height: 24 }
    case 'panel':
      return { width: own?.width ?? 160, height: own?.height ?? 100 }
    case 'valueList':
      return { width: Math.max(110, label + 90), height: 24 }
    case 'scribble':
      return { width: (state.text.length * state.fontSize) / 2, height: state.fontSize }
  }
  if (isParameter(node)) return { width: Math.max(50, label + 24), height: 22 }
  const [inputs, outputs] = [Object.keys(node.inputs), Object.keys(node.outputs)]
  const rows = Math.max(inputs.length, outputs.length)
  return {
    width: columnWidth(node, inputs) + NAME_WIDTH + columnWidth(node, outputs) + 8,
    height: Math.max(48, rows * PORT_HEIGHT + 6, Math.min(70, label + 16)),
  }
}

/** Whether a node is a parameter, which has one port, whose id is the node's own (decision 0007). */
const isParameter = ({ instanceId, ports }: Node): boolean => Object.hasOwn(ports, instanceId)

function columnWidth({ ports }: Node, ids: readonly string[]): number {
  const lengths = ids.map((id) => (ports[id]?.nickName || ports[id]?.name || '').length)
  return ids.length === 0 ? 4 : 10 + CHARACTER * Math.max(...lengths)
}

function paintNode(raster: Raster, node: Node, box: Box): void {
  const state = node.state as NodeState | undefined
  // Texts and freehand lines are too fine for the picture.
  if (state?.kind === 'scribble' || state?.kind === 'sketch') return
  const colour = !node.status.isEnabled ? DISABLED : state?.kind === 'panel' ? PANEL : COMPONENT
  const border = box.bottom - box.top > 10 ? 1.5 : 0
  if (border > 0) fill(raster, grow(box, border), BORDER)
  fill(raster, atLeast(box, 2), colour)
  const isNamed = state === undefined && !isParameter(node)
  if (!isNamed || box.right - box.left < 8) return
  const middle = (box.left + box.right) / 2
  const half = ((box.right - box.left) * 0.26) / 2
  const inset = (box.bottom - box.top) * 0.06
  fill(
    raster,
    { left: middle - half, top: box.top + inset, right: middle + half, bottom: box.bottom - inset },
    NAME,
  )
}

const grow = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
})

/** Enlarges a box so that even the smallest nodes of a large graph cover a sample or two. */
const atLeast = ({ left, top, right, bottom }: Box, size: number): Box => ({
  left,
  top,
  right: Math.max(right, left + size),
  bottom: Math.max(bottom, top + size),
})

const fill = (raster: Raster, { left, top, right, bottom }: Box, colour: Rgba): void =>
  raster.fillRectangle(left, top, right, bottom, colour)

// Wires and groups.

function paintWires(
  raster: Raster,
  nodes: GraphContent['nodes'],
  boxes: ReadonlyMap<string, Box>,
  place: Place,
): void {
  const ramp = createFlat(WIRE)
  const thickness = Math.min(4, Math.max(1, 2.5 * place.scale))
  let count = 0
  for (const [id, box] of boxes) {
    const node = nodes[id]!
    for (const [input, sources] of Object.entries(node.sources)) {
      for (const { nodeInstanceId, portInstanceId } of sources) {
        const [source, from] = [nodes[nodeInstanceId], boxes.get(nodeInstanceId)]
        if (!source || !from || ++count > MAX_WIRES || node.ports[input]?.wireDisplay === 'hidden') continue
        const start = heightOf(from, source.outputs, portInstanceId)
        const end = heightOf(box, node.inputs, input)
        const wire = place({ left: from.right, top: start, right: box.left, bottom: end })
        raster.drawLine(curve(wire), thickness, ramp)
      }
    }
  }
}

/** Returns the height of a port at the side of its node. */
function heightOf({ top, bottom }: Box, order: Readonly<Record<string, number>>, port: string): number {
  const count = Object.keys(order).length
  return top + (bottom - top) * (count === 0 ? 0.5 : ((order[port] ?? 0) + 0.5) / count)
}

/** Returns the spots of a wire, which is horizontal at both ends, as on the canvas. */
function curve({ left, top, right, bottom }: Box): Float32Array {
  const reach = Math.max(Math.abs(right - left) / 2, Math.min(40, Math.abs(bottom - top) / 2))
  const spots = new Float32Array(3 * (PIECES + 1))
  for (let i = 0; i <= PIECES; i++) {
    const [t, u] = [i / PIECES, 1 - i / PIECES]
    spots[3 * i] =
      u * u * u * left + 3 * u * u * t * (left + reach) + 3 * u * t * t * (right - reach) + t * t * t * right
    spots[3 * i + 1] = (u * u * u + 3 * u * u * t) * top + (3 * u * t * t + t * t * t) * bottom
  }
  return spots
}

/** Returns the areas of groups, larger ones first, since they are behind. */
function listAreas(groups: readonly Group[], boxes: ReadonlyMap<string, Box>): { box: Box; colour: Rgba }[] {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const membersOf = (group: Group, within = new Set<Group>()): Box[] => {
    if (within.has(group)) return []
    within.add(group)
    return [
      ...group.nodeInstanceIds.flatMap((id) => boxes.get(id) ?? []),
      ...group.groupIds.flatMap((id) => {
        const inner = byId.get(id)
        return inner ? membersOf(inner, within) : []
      }),
    ]
  }
  const sizeOf = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top)
  return groups
    .flatMap((group) => {
      const members = unite(membersOf(group))
      const [red, green, blue, alpha] = Buffer.from(group.colour.slice(1), 'hex')
      const colour: Rgba = [red ?? 0, green ?? 0, blue ?? 0, alpha ?? 255]
      return members ? [{ box: grow(members, AROUND_NODES), colour }] : []
    })
    .sort((a, b) => sizeOf(b.box) - sizeOf(a.box))
}
