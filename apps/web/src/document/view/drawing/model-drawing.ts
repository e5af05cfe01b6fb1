import type { SceneRole } from '@meadow/contract/web'
import {
  BufferGeometry,
  Color,
  DataTexture,
  DoubleSide,
  GreaterDepth,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshPhongMaterial,
  type Plane,
  Points,
  PointsMaterial,
} from 'three'
import { LOOK, type Look } from '../scene/looks.ts'
import type { ScenePart, SceneValues } from '../scene/scene-values.ts'
import { createLineObject, type LineObject } from './line-object.ts'
import { listRuns } from './runs.ts'
import { createVertices, type Vertices } from './vertices.ts'

export interface Colours {
  background: string
  body: string
  line: string
  selected: string
  picked: string
  /** The colour of what the section plane cuts. */
  cap: string
  /** The colour of what is measured. */
  mark: string
}

/** What is drawn of a body. */
export interface Display {
  /** Whether faces are drawn, and not lines alone. */
  isShaded: boolean
  edges: boolean
  isocurves: boolean
  meshEdges: boolean
}

/** The objects of a scene: one for each kind and look, however many values there are. */
export interface ModelDrawing {
  readonly object: Group
  /** `colours`: `0xrrggbbaa` for each value, 0 for none; by default those that the values have. */
  show(values: SceneValues, colours?: Uint32Array): void
  /** Replaces the colours of the scene that was shown last, whose looks stay. No other buffer is uploaded. */
  recolour(colours: Uint32Array): void
  /** Paints the values of the scene that was shown last. `thins`: with lines that are quick to draw. */
  paint(looks: Uint8Array, display: Display, thins?: boolean): void
  /** Sets a geometry to the faces of visible closed bodies. */
  fillSolids(solids: BufferGeometry, looks: Uint8Array): void
  setColours(colours: Colours): void
  setClipping(planes: Plane[]): void
  dispose(): void
}

type LineRole = Extract<SceneRole, 'curve' | 'edge' | 'isocurve' | 'meshEdge'>

/** The widths of lines in CSS pixels. */
const LINE_WIDTHS: Record<LineRole, number> = { curve: 1.5, edge: 1.25, isocurve: 1, meshEdge: 1 }
const SELECTED_WIDTH = 2.5
const POINT_SIZE = 7

/** The shares of the line's colour in that of lighter lines; the rest is the body's. */
const LINE_STRENGTHS: Record<LineRole, number> = { curve: 1, edge: 1, isocurve: 0.5, meshEdge: 0.6 }

/** Moves faces back a little in depth, so that lines that lie on them are visible. */
const BEHIND_LINES = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }

/** The looks of bodies that nothing can be seen through. */
const SOLID_LOOKS: Look[] = [LOOK.plain, LOOK.coloured, LOOK.selected, LOOK.picked]

/** A colour from the palette: of bodies, lines, the selected or the picked. */
type Tone = 'body' | 'line' | 'selected' | 'picked' | 'own'

/** An object of faces or points. */
interface IndexedObject {
  object: Mesh | Points
  of: 'bodies' | 'points'
  looks: Look[]
  tone: Tone
}

interface DrawnLines {
  lines: LineObject
  role: LineRole
  looks: Look[]
  tone: Tone
}

export function createModelDrawing(): ModelDrawing {
  const object = new Group()
  const dot = createDot()
  const bodies = createVertices()
  const points = createVertices()
  const indexed = [...createBodyObjects(), ...createPointObjects(dot)]
  const drawnLines = createLineObjects()
  object.add(...indexed.map((one) => one.object), ...drawnLines.map(({ lines }) => lines.object))
  for (const one of indexed) {
    one.object.frustumCulled = false
    one.object.visible = false
  }
  let values: SceneValues | undefined
  let colours: Uint32Array = new Uint32Array()
  let byRole: Partial<Record<SceneRole, ScenePart[]>> = {}

  return {
    object,
    show(next, nextColours = next.colours) {
      values = next
      colours = nextColours
      byRole = Object.groupBy(next.parts, ({ role }) => role)
      bodies.show(byRole.body ?? [], colours)
      points.show(byRole.point ?? [], colours)
    },
    recolour(next) {
      colours = next
      bodies.recolour(colours)
      points.recolour(colours)
      for (const { lines, tone } of drawnLines) if (tone === 'own') lines.recolour(colours)
    },
    paint(looks, display, thins = false) {
      if (!values) return
      for (const one of indexed) {
        const parts = byRole[one.of === 'bodies' ? 'body' : 'point'] ?? []
        const vertices: Vertices = one.of === 'bodies' ? bodies : points
        const isWanted = one.of === 'points' || display.isShaded
        one.object.visible = isWanted && vertices.fill(one.object.geometry, listRuns(parts, looks, one.looks))
      }
      for (const { lines, role, looks: wanted, tone } of drawnLines) {
        const parts = isRoleShown(role, display) ? (byRole[role] ?? []) : []
        lines.show(
          listRuns(parts, looks, wanted, tone === 'own'),
          tone === 'own' ? colours : undefined,
          thins,
        )
      }
    },
    fillSolids(solids, looks) {
      const open = values
      const closed = looks.map((look, value) => (open?.isClosed(value) ? look : LOOK.hidden))
      const isAny = bodies.fill(solids, listRuns(byRole.body ?? [], closed, SOLID_LOOKS))
      if (!isAny) solids.setDrawRange(0, 0)
    },
    setColours(palette) {
      for (const one of indexed) {
        if (one.tone !== 'own') (one.object.material as MeshPhongMaterial).color.set(palette[one.tone])
      }
      for (const { lines, role, tone } of drawnLines) {
        if (tone === 'own') continue
        const colour = new Color(palette[tone])
        if (tone === 'line') colour.lerp(new Color(palette.body), 1 - LINE_STRENGTHS[role])
        else if (role !== 'curve') colour.multiplyScalar(0.45)
        lines.setColour(colour)
      }
    },
    setClipping(planes) {
      for (const one of indexed) (one.object.material as Material).clippingPlanes = planes
      for (const { lines } of drawnLines) lines.setClipping(planes)
    },
    dispose() {
      dot.dispose()
      for (const { lines } of drawnLines) lines.dispose()
      for (const one of indexed) {
        one.object.geometry.dispose()
        ;(one.object.material as Material).dispose()
      }
    },
  }
}

function isRoleShown(role: LineRole, { isShaded, edges, isocurves, meshEdges }: Display): boolean {
  if (role === 'curve') return true
  if (role === 'edge') return edges || !isShaded
  return role === 'isocurve' ? isocurves : meshEdges || !isShaded
}

function createBodyObjects(): IndexedObject[] {
  const shaded = () =>
    new MeshPhongMaterial({ side: DoubleSide, specular: '#1c1c1c', shininess: 30, ...BEHIND_LINES })
  const body = (looks: Look[], tone: Tone, material: Material = shaded()): IndexedObject => ({
    object: new Mesh(new BufferGeometry(), material),
    of: 'bodies',
    looks,
    tone,
  })
  const coloured = shaded()
  coloured.vertexColors = true
  const clear = coloured.clone()
  clear.transparent = true
  clear.depthWrite = false
  /** Creates the material of selected bodies where others hide them. */
  const ghost = (tone: Tone) =>
    new MeshBasicMaterial({
      side: DoubleSide,
      transparent: true,
      opacity: tone === 'picked' ? 0.25 : 0.16,
      depthWrite: false,
      depthFunc: GreaterDepth,
    })
  const objects = [
    body([LOOK.plain], 'body'),
    body([LOOK.coloured], 'own', coloured),
    body([LOOK.clear], 'own', clear),
    body([LOOK.selected], 'selected'),
    body([LOOK.picked], 'picked'),
    body([LOOK.selected], 'selected', ghost('selected')),
    body([LOOK.picked], 'picked', ghost('picked')),
  ]
  // Where values are at the same place, the selected ones are seen.
  objects[3]!.object.renderOrder = 1
  objects[4]!.object.renderOrder = 2
  return objects
}

function createPointObjects(dot: DataTexture): IndexedObject[] {
  const round = { size: POINT_SIZE, sizeAttenuation: false, alphaMap: dot, alphaTest: 0.5 }
  const one = (looks: Look[], tone: Tone, options = {}): IndexedObject => ({
    object: new Points(new BufferGeometry(), new PointsMaterial({ ...round, ...options })),
    of: 'points',
    looks,
    tone,
  })
  const objects = [
    one([LOOK.plain], 'line'),
    one([LOOK.coloured, LOOK.clear], 'own', { vertexColors: true }),
    one([LOOK.selected], 'selected', { size: POINT_SIZE + 1 }),
    one([LOOK.picked], 'picked', { size: POINT_SIZE + 3 }),
  ]
  for (const [order, { object }] of objects.entries()) object.renderOrder = order + 1
  return objects
}

/** A round point: white with a transparent border. */
function createDot(): DataTexture {
  const size = 32
  const half = (size - 1) / 2
  const pixels = new Uint8Array(4 * size * size)
  for (let at = 0; at < size * size; at++) {
    const far = Math.hypot((at % size) - half, Math.floor(at / size) - half)
    pixels.fill(far < half ? 255 : 0, 4 * at, 4 * at + 4)
  }
  const texture = new DataTexture(pixels, size, size)
  texture.needsUpdate = true
  return texture
}

function createLineObjects(): DrawnLines[] {
  const drawn = (role: LineRole, looks: Look[], tone: Tone, options = {}): DrawnLines => ({
    lines: createLineObject({ width: LINE_WIDTHS[role], ...options }),
    role,
    looks,
    tone,
  })
  const curves = [
    drawn('curve', [LOOK.plain], 'line'),
    drawn('curve', [LOOK.coloured, LOOK.clear], 'own'),
    drawn('curve', [LOOK.selected], 'selected', { width: SELECTED_WIDTH }),
    drawn('curve', [LOOK.picked], 'picked', { width: SELECTED_WIDTH + 1 }),
    drawn('curve', [LOOK.selected, LOOK.picked], 'selected', { width: SELECTED_WIDTH, isGhost: true }),
  ]
  for (const [order, { lines }] of curves.entries()) lines.object.renderOrder = order
  // A body in its own colour has plain edges: in the same colour they would not be seen.
  const ofBodies = (['edge', 'isocurve', 'meshEdge'] as const).flatMap((role) => [
    drawn(role, [LOOK.plain, LOOK.coloured, LOOK.clear], 'line'),
    drawn(role, [LOOK.selected, LOOK.picked], 'selected'),
  ])
  return [...curves, ...ofBodies]
}
