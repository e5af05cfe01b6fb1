import type { Scene as MeadowScene } from '@meadow/contract/web'
import {
  Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  type Quaternion,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import { createCameraRig } from './camera/camera-rig.ts'
import { distanceOf, type Framing, fit, judgeFraming, type Viewpoint } from './camera/framing.ts'
import { createMarks } from './drawing/marks.ts'
import { type Colours, createModelDrawing, type Display } from './drawing/model-drawing.ts'
import { createSectionCaps, type Section, toPlane } from './drawing/section.ts'
import { type Choices, chooseLooks, findBox, LOOK, NO_CHOICES } from './scene/looks.ts'
import { createPicker, type PickOptions } from './scene/picker.ts'
import { type Paint, readValues, type SceneValue, type SceneValues } from './scene/scene-values.ts'
import { findSnapPoint, listSnapPoints, type SnapPoints } from './scene/snap-points.ts'

/** What the user should know about what is seen. */
export interface ViewStatus {
  /** How many objects there are, and how many of them are visible. */
  values: number
  visible: number
  /** Whether there is something to see, and nothing of it is in view. */
  isOutOfView: boolean
  /** The box of everything that is visible, in the document's coordinates. */
  box: Box3 | undefined
}

/** A point that the user pointed at, in the document's coordinates. */
export interface PickedPoint {
  point: Vector3
  /** Whether it is a vertex or an end. */
  isSnapped: boolean
}

/** Draws a scene on a canvas element, whenever something has changed. Positions are in the document's coordinates. */
export interface Viewer {
  /**
   * Replaces the scene. Until the user has moved the camera, it is fitted to what is visible whenever that leaves the
   * view; afterwards it stays where it is. `isRough`: it is replaced in a moment, and is to be drawn quickly.
   */
  show(scene: MeadowScene, isRough?: boolean): void
  /** Fits a preview as it would another scene, once the value that is dragged rests. */
  rest(): void
  choose(choices: Choices): void
  setDisplay(display: Display): void
  setColours(colours: Colours): void
  /** Colours objects by data; undefined shows their own colours. */
  paint(paint: Paint | undefined): void
  setSection(section: Section | undefined): void
  /** Marks points, with lines between them. */
  mark(points: readonly Vector3[]): void
  /** Fits the camera to what is selected, or to everything. */
  fit(): void
  readonly viewpoint: Viewpoint
  /** Whether the user has moved the camera, now or before. */
  readonly wasMoved: boolean
  /** Moves the camera as the user wants it. */
  move(viewpoint: Viewpoint): void
  resize(width: number, height: number): void
  /** Whether dragging moves the camera. */
  setOrbiting(isOrbiting: boolean): void
  /** The object at a position, in CSS pixels from the upper left corner of the canvas. */
  pick(x: number, y: number): SceneValue | undefined
  /** Objects of which a vertex lies in a rectangle. */
  pickIn(rectangle: { left: number; top: number; right: number; bottom: number }): SceneValue[]
  pickPoint(x: number, y: number): PickedPoint | undefined
  /**
   * Where a point is seen, in CSS pixels from the upper left corner of the canvas; undefined when it is out of view.
   * `isCovered`, if asked for: whether geometry is in front of it.
   */
  project(point: Vector3, findsCovered: boolean): { x: number; y: number; isCovered?: boolean } | undefined
  /** Calls after each picture. Returns a function that ends this. */
  onDraw(listener: () => void): () => void
  /** The values of the scene that was shown last. */
  readonly values: SceneValues | undefined
  dispose(): void
}

export interface ViewerOptions {
  /** The camera of an earlier view of the document. */
  viewpoint?: Viewpoint | undefined
  onStatus: (status: ViewStatus) => void
  onMove: (viewpoint: Viewpoint) => void
}

/** How near to a line or point a click picks it, in CSS pixels. */
const REACH = 6

/** Creates a viewer; returns undefined if the browser has no WebGL. */
export function createViewer(canvas: HTMLCanvasElement, options: ViewerOptions): Viewer | undefined {
  const renderer = createRenderer(canvas)
  return renderer && startViewer(renderer, canvas, options)
}

function startViewer(renderer: WebGLRenderer, canvas: HTMLCanvasElement, options: ViewerOptions): Viewer {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
  renderer.localClippingEnabled = true
  const scene = new Scene()
  const [model, caps, marks] = [createModelDrawing(), createSectionCaps(), createMarks()]
  const lights = createLights()
  scene.add(model.object, caps.object, marks.object, ...lights.all)
  /** The point that all positions of the scene are relative to. */
  let origin = new Vector3()
  let values: SceneValues | undefined
  let picker: ReturnType<typeof createPicker> | undefined
  let snapPoints: SnapPoints | undefined
  let looks: Uint8Array = new Uint8Array()
  let visibleBox: Box3 | undefined
  let choices = NO_CHOICES
  let painter: Paint | undefined
  let display: Display = { isShaded: true, edges: true, isocurves: true, meshEdges: true }
  let section: Section | undefined
  let marked: readonly Vector3[] = []
  let size = { width: 0, height: 0 }
  /** Whether the scene is a preview, and not that of a stored solution. */
  let isPreview = false
  let isRough = false
  const isSlow = drawsInSoftware(renderer)
  let wasFitted = false
  let wasMoved = false
  let frame = 0
  const drawListeners = new Set<() => void>()
  let status: ViewStatus | undefined

  const rig = createCameraRig(canvas, (isByUser) => {
    if (isByUser) wasMoved = true
    options.onMove(readViewpoint())
    redraw()
  })

  if (options.viewpoint) {
    rig.write(options.viewpoint)
    wasFitted = true
    wasMoved = true
  }

  function redraw(): void {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      rig.adaptDepths(visibleBox)
      lights.follow(rig.camera.quaternion)
      renderer.render(scene, rig.camera)
      report()
      for (const listener of drawListeners) listener()
    })
  }

  function readViewpoint(): Viewpoint {
    const viewpoint = rig.read()
    viewpoint.target.add(origin)
    return viewpoint
  }

  const judge = (box: Box3): Framing => judgeFraming(rig.read(), box, rig.aspect)

  function report(): void {
    if (size.width === 0 || !values) return
    const framing = visibleBox && judge(visibleBox)
    const next: ViewStatus = {
      values: values.count,
      visible: looks.reduce((count, look) => count + (look === LOOK.hidden ? 0 : 1), 0),
      isOutOfView: framing === 'outside' || framing === 'tiny',
      box: visibleBox?.clone().translate(origin),
    }
    const isSame =
      status?.values === next.values &&
      status.visible === next.visible &&
      status.isOutOfView === next.isOutOfView &&
      (status.box === next.box || (status.box && next.box?.equals(status.box)))
    if (isSame) return
    status = next
    options.onStatus(next)
  }

  const toBox = (numbers: number[] | undefined) =>
    numbers && new Box3(new Vector3().fromArray(numbers), new Vector3().fromArray(numbers, 3))

  /** Paints after a change of the scene, of what is chosen or of how it is displayed. */
  function paint(): void {
    if (!values) return
    looks = chooseLooks(values, choices, painter !== undefined)
    visibleBox = toBox(findBox(values, looks))
    // If the browser draws in software, a wide line takes as long as six triangles.
    model.paint(looks, display, isRough && isSlow)
    if (section) model.fillSolids(caps.solids, looks)
    placeSection()
    keepFramed()
    redraw()
  }

  function placeSection(): void {
    const plane = section && toPlane(section, origin)
    model.setClipping(plane ? [plane] : [])
    caps.object.visible = Boolean(plane && visibleBox && display.isShaded)
    if (plane && visibleBox) caps.place(plane, visibleBox)
  }

  /** Fits what has come to be visible, unless the user has moved the camera. */
  function keepFramed(): void {
    if (wasMoved || size.width === 0 || !visibleBox) return
    if (wasFitted && isFramed(judge(visibleBox))) return
    wasFitted = true
    rig.write(fit(rig.read(), visibleBox, rig.aspect))
  }

  /** Returns whether the camera stays. While a value is dragged, it mostly does, so that geometry is seen to change. */
  const isFramed = (framing: Framing) =>
    framing === 'well' || (isPreview && framing !== 'outside' && framing !== 'tiny')

  const isCut = (point: Vector3) =>
    section !== undefined && toPlane(section, origin).distanceToPoint(point) < 0

  function castRay(x: number, y: number) {
    const caster = new Raycaster()
    caster.setFromCamera(new Vector2((x / size.width) * 2 - 1, 1 - (y / size.height) * 2), rig.camera)
    const viewpoint = rig.read()
    const perPixel = (2 * REACH * viewpoint.span) / size.height / 2
    const distance = distanceOf(viewpoint)
    const pickOptions: PickOptions = {
      looks,
      isShown: ({ role }) => (role === 'body' ? display.isShaded : role !== 'isocurve'),
      toleranceAt: (far) => (viewpoint.isParallel ? perPixel : (perPixel * far) / distance),
      isCut,
    }
    return { ray: caster.ray, pickOptions }
  }

  function hitAt(x: number, y: number) {
    if (!values) return undefined
    picker ??= createPicker(values)
    const { ray, pickOptions } = castRay(x, y)
    return picker.pick(ray, pickOptions)
  }

  return {
    show(next, isRoughNow = false) {
      isRough = isRoughNow
      const nextOrigin = new Vector3(...next.origin)
      // The camera stays where it is in the document, wherever the scene's origin is.
      const viewpoint = rig.read()
      viewpoint.target.add(origin).sub(nextOrigin)
      const hasMoved = !origin.equals(nextOrigin)
      origin = nextOrigin
      if (hasMoved) rig.write(viewpoint)
      isPreview = next.solutionId === undefined
      values = readValues(next)
      picker = undefined
      snapPoints = undefined
      model.show(values, painter?.(values))
      marks.show(marked.map((point) => point.clone().sub(origin)))
      paint()
    },
    rest() {
      isPreview = false
      keepFramed()
    },
    choose(next) {
      choices = next
      paint()
    },
    setDisplay(next) {
      display = next
      paint()
    },
    setColours(next) {
      scene.background = new Color(next.background)
      model.setColours(next)
      caps.setColour(next.cap)
      marks.setColour(next.mark)
      redraw()
    },
    paint(next) {
      const wasPainted = painter !== undefined
      painter = next
      if (!values) return
      model.recolour(next?.(values) ?? values.colours)
      // If only the colours are others, the looks are the same, and nothing but colours is uploaded.
      if (wasPainted && next) redraw()
      else paint()
    },
    setSection(next) {
      const isNew = !section && next
      section = next
      if (isNew && values) model.fillSolids(caps.solids, looks)
      placeSection()
      redraw()
    },
    mark(points) {
      marked = points
      marks.show(points.map((point) => point.clone().sub(origin)))
      redraw()
    },
    fit() {
      const chosen = values && findBox(values, looks, [LOOK.selected, LOOK.picked])
      const box = toBox(chosen) ?? visibleBox
      if (box) rig.write(fit(rig.read(), box, rig.aspect))
    },
    get viewpoint() {
      return readViewpoint()
    },
    get wasMoved() {
      return wasMoved
    },
    move(viewpoint) {
      wasMoved = true
      rig.write({ ...viewpoint, target: viewpoint.target.clone().sub(origin) })
    },
    resize(width, height) {
      if (!(width > 0 && height > 0)) return
      size = { width, height }
      renderer.setSize(width, height, false)
      rig.resize(width, height)
      // The first geometry comes before or after the size of the canvas, without which nothing can be fitted into it.
      keepFramed()
      redraw()
    },
    setOrbiting: rig.setEnabled,
    pick(x, y) {
      const hit = hitAt(x, y)
      return hit && values!.describe(hit.value)
    },
    pickIn: ({ left, top, right, bottom }) => {
      if (!values) return []
      const found = new Set<number>()
      const point = new Vector3()
      for (const part of values.parts) {
        const { first, count } = part.port
        for (let number = 0; number < count; number++) {
          if (looks[first + number] === LOOK.hidden) continue
          for (let element = part.starts[number]!; element < part.starts[number + 1]!; element++) {
            const vertex = part.indices ? part.indices[element]! : element
            point.fromArray(part.positions, 3 * vertex)
            if (isCut(point)) continue
            point.project(rig.camera)
            const x = ((point.x + 1) * size.width) / 2
            const y = ((1 - point.y) * size.height) / 2
            if (Math.abs(point.z) > 1 || x < left || x > right || y < top || y > bottom) continue
            found.add(first + number)
            break
          }
        }
      }
      return [...found].map((value) => values!.describe(value))
    },
    pickPoint(x, y) {
      if (!values) return undefined
      const hit = hitAt(x, y)
      snapPoints ??= listSnapPoints(values)
      const { pickOptions } = castRay(x, y)
      const eye = rig.camera.position
      const reach = hit && hit.distance * 1.001 + pickOptions.toleranceAt(hit.distance) * 2
      const snapped = findSnapPoint(snapPoints, {
        ...pickOptions,
        ...size,
        camera: rig.camera,
        x,
        y,
        isCovered: (point) => reach !== undefined && point.distanceTo(eye) > reach,
      })
      const point = snapped ?? hit?.point
      return point && { point: point.clone().add(origin), isSnapped: snapped !== undefined }
    },
    project(point, findsCovered) {
      const inScene = point.clone().sub(origin)
      const seen = inScene.clone().project(rig.camera)
      if (size.width === 0 || Math.abs(seen.x) > 1 || Math.abs(seen.y) > 1 || Math.abs(seen.z) > 1)
        return undefined
      const spot = { x: ((seen.x + 1) * size.width) / 2, y: ((1 - seen.y) * size.height) / 2 }
      if (!findsCovered) return spot
      const hit = hitAt(spot.x, spot.y)
      const { ray, pickOptions } = castRay(spot.x, spot.y)
      const distance = inScene.distanceTo(ray.origin)
      // The point itself lies on geometry.
      const reach = 2 * pickOptions.toleranceAt(distance) + distance * 0.001
      return { ...spot, isCovered: hit !== undefined && hit.distance < distance - reach }
    },
    onDraw(listener) {
      drawListeners.add(listener)
      return () => drawListeners.delete(listener)
    },
    get values() {
      return values
    },
    dispose() {
      cancelAnimationFrame(frame)
      for (const part of [model, caps, marks, rig, renderer]) part.dispose()
      // Browsers limit the number of WebGL contexts, and would release this one only at the next garbage collection.
      renderer.forceContextLoss()
    },
  }
}

function createRenderer(canvas: HTMLCanvasElement): WebGLRenderer | undefined {
  try {
    return new WebGLRenderer({ canvas, antialias: true, stencil: true })
  } catch {
    return undefined
  }
}

/** Whether the browser draws without a graphics card, as far as it tells. */
function drawsInSoftware(renderer: WebGLRenderer): boolean {
  const context = renderer.getContext()
  const named = context.getExtension('WEBGL_debug_renderer_info')
  const name = context.getParameter(named?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER)
  return /swiftshader|llvmpipe|softpipe|basic render|software/i.test(String(name))
}

/** Light from the sky, and from above the camera. */
function createLights() {
  const lamp = new DirectionalLight('#fff', 1.7)
  const sky = new HemisphereLight('#fff', '#a8a8a8', 1.5)
  sky.position.set(0, 0, 1)
  return {
    all: [lamp, lamp.target, sky],
    follow(camera: Quaternion) {
      lamp.position.set(0.4, 0.6, 1).applyQuaternion(camera)
    },
  }
}
