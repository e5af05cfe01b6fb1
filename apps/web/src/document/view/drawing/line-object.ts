import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  GreaterDepth,
  Group,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  LessEqualDepth,
  LineBasicMaterial,
  LineSegments,
  type Plane,
} from 'three'
import { LineMaterial } from 'three/addons/lines/LineMaterial.js'
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js'
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js'
import { vertexAt } from '../scene/scene-values.ts'
import { countElements, type Run, reserve } from './runs.ts'

/** More segments than this are drawn one device pixel wide, which takes a fraction of the time. */
const MAX_WIDE_SEGMENTS = 300_000

/** Lines of one look. */
export interface LineObject {
  readonly object: Group
  /** `colours`: for each value, `0xrrggbbaa`; left out for the colour of the object. `thins`: one device pixel wide. */
  show(runs: readonly Run[], colours?: Uint32Array, thins?: boolean): void
  /** Replaces the colours of the lines that are shown. */
  recolour(colours: Uint32Array): void
  setColour(colour: Color): void
  setClipping(planes: Plane[]): void
  dispose(): void
}

/**
 * Creates an object for lines of one look. `width` is in CSS pixels, so that lines are as wide on every display. With
 * `isGhost`, the parts of lines that others hide are drawn, faintly.
 */
export function createLineObject({
  width,
  isGhost = false,
}: {
  width: number
  isGhost?: boolean
}): LineObject {
  const look = isGhost
    ? { transparent: true, opacity: 0.35, depthWrite: false, depthFunc: GreaterDepth }
    : { depthFunc: LessEqualDepth }
  const wide = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ linewidth: width, ...look }))
  const thin = new LineSegments(new BufferGeometry(), new LineBasicMaterial(look))
  for (const lines of [wide, thin]) lines.frustumCulled = false
  const object = new Group()
  object.add(wide, thin)
  object.visible = false
  let ends: Float32Array | undefined
  let tints: Uint8Array | undefined
  let isThin = false
  let shown: readonly Run[] = []

  /** Makes new geometries for new arrays, since a geometry notes how long its arrays are. */
  function attach(): void {
    wide.geometry.dispose()
    thin.geometry.dispose()
    wide.geometry = new LineSegmentsGeometry()
    thin.geometry = new BufferGeometry()
    if (isThin) {
      thin.geometry.setAttribute('position', new BufferAttribute(ends!, 3).setUsage(DynamicDrawUsage))
      if (tints) thin.geometry.setAttribute('color', new BufferAttribute(tints, 3, true))
      return
    }
    const buffer = new InstancedInterleavedBuffer(ends!, 6, 1).setUsage(DynamicDrawUsage)
    wide.geometry.setAttribute('instanceStart', new InterleavedBufferAttribute(buffer, 3, 0))
    wide.geometry.setAttribute('instanceEnd', new InterleavedBufferAttribute(buffer, 3, 3))
    if (!tints) return
    const colours = new InstancedInterleavedBuffer(tints, 6, 1)
    wide.geometry.setAttribute('instanceColorStart', new InterleavedBufferAttribute(colours, 3, 0, true))
    wide.geometry.setAttribute('instanceColorEnd', new InterleavedBufferAttribute(colours, 3, 3, true))
  }

  return {
    object,
    show(runs, colours, thins = false) {
      shown = runs
      const segments = countElements(runs) / 2
      object.visible = segments > 0
      if (segments === 0) return
      const [lastEnds, lastTints, wasThin] = [ends, tints, isThin]
      isThin = thins || segments > MAX_WIDE_SEGMENTS
      ends = reserve(ends, 6 * segments, (length) => new Float32Array(length))
      tints = colours && reserve(tints, 6 * segments, (length) => new Uint8Array(length))
      fillEnds(ends, runs)
      if (tints) fillTints(tints, runs, colours!)
      if (ends !== lastEnds || tints !== lastTints || isThin !== wasThin) attach()
      else for (const { data } of listBuffers(isThin ? thin.geometry : wide.geometry)) data.needsUpdate = true
      wide.material.vertexColors = tints !== undefined
      thin.material.vertexColors = tints !== undefined
      wide.visible = !isThin
      thin.visible = isThin
      wide.geometry.instanceCount = segments
      thin.geometry.setDrawRange(0, 2 * segments)
    },
    recolour(colours) {
      if (!tints || !object.visible) return
      fillTints(tints, shown, colours)
      const { attributes } = isThin ? thin.geometry : wide.geometry
      const { color, instanceColorStart } = attributes
      if (color instanceof BufferAttribute) color.needsUpdate = true
      if (instanceColorStart instanceof InterleavedBufferAttribute) instanceColorStart.data.needsUpdate = true
    },
    setColour(colour) {
      wide.material.color.copy(colour)
      thin.material.color.copy(colour)
    },
    setClipping(planes) {
      wide.material.clippingPlanes = planes
      thin.material.clippingPlanes = planes
    },
    dispose() {
      for (const { geometry, material } of [wide, thin]) {
        geometry.dispose()
        material.dispose()
      }
    },
  }
}

/** The buffers of a geometry's lines, each once. */
function listBuffers(geometry: BufferGeometry): { data: { needsUpdate: boolean } }[] {
  return Object.entries(geometry.attributes)
    .filter(([name]) => ['position', 'color', 'instanceStart', 'instanceColorStart'].includes(name))
    .filter(([name]) => !(geometry instanceof LineSegmentsGeometry && name === 'position'))
    .map(([, attribute]) => ({
      data: attribute instanceof InterleavedBufferAttribute ? attribute.data : attribute,
    }))
}

/** Fills in six numbers for each segment: where it starts and where it ends. */
function fillEnds(into: Float32Array, runs: readonly Run[]): void {
  let at = 0
  for (const { part, from, to } of runs) {
    const { positions } = part
    for (let element = from; element < to; element++) {
      const vertex = 3 * vertexAt(part, element)
      into[at++] = positions[vertex]!
      into[at++] = positions[vertex + 1]!
      into[at++] = positions[vertex + 2]!
    }
  }
}

/** Fills in the colours of both ends of each segment. Each run is one value. */
function fillTints(into: Uint8Array, runs: readonly Run[], colours: Uint32Array): void {
  const color = new Color()
  let at = 0
  for (const { value, from, to } of runs) {
    const parts = color
      .setHex(colours[value]! >>> 8)
      .toArray()
      .map((part) => Math.round(part * 255))
    for (let element = from; element < to; element++) {
      into.set(parts, at)
      at += 3
    }
  }
}
