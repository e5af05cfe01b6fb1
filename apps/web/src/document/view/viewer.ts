import type { Scene as MeadowScene } from '@meadow/contract/web'
import {
  Box3,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { type DrawnBatch, drawBatch, type SceneValue } from './build-objects.ts'

/** Surfaces with their edges, or the edges alone. */
export type ViewMode = 'shaded' | 'wires'

export interface Colours {
  background: string
  body: string
  line: string
  selected: string
}

/** Draws a scene on a canvas element, whenever something has changed. */
export interface Viewer {
  /** Replaces the scene. The camera is fitted to the first one and stays for others. */
  show(scene: MeadowScene): void
  select(nodeInstanceIds: ReadonlySet<string>): void
  /** Sets the nodes whose geometry is visible only while they are selected. */
  hide(nodeInstanceIds: ReadonlySet<string>): void
  setMode(mode: ViewMode): void
  setColours(colours: Colours): void
  /** Fits the camera to the selected nodes, or to everything. */
  fit(): void
  resize(width: number, height: number): void
  /** The value at a position, in CSS pixels from the upper left corner of the canvas. */
  pick(x: number, y: number): SceneValue | undefined
  dispose(): void
}

/** In degrees. */
const FIELD_OF_VIEW = 35
/** The distance at which a click picks a line or point, as a fraction of the camera's distance. */
const PICK_FRACTION = 0.006

/** Throws where the browser has no WebGL. */
export function createViewer(canvas: HTMLCanvasElement): Viewer {
  const renderer = new WebGLRenderer({ canvas, antialias: true })
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 1000)
  // As in Rhino.
  camera.up.set(0, 0, 1)
  camera.position.set(1, -1.6, 0.9)
  const scene = new Scene()
  const shown = new Group()
  scene.add(shown, createLights(camera), camera)
  const controls = new OrbitControls(camera, canvas)
  controls.zoomToCursor = true

  let drawn: DrawnBatch[] = []
  let selected: ReadonlySet<string> = new Set()
  let hidden: ReadonlySet<string> = new Set()
  let mode: ViewMode = 'shaded'
  let colours: Colours = { background: '#fff', body: '#ccc', line: '#333', selected: '#2a9f46' }
  let hasSize = false
  let wasFitted = false
  let frame = 0

  const redraw = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      renderer.render(scene, camera)
    })
  }
  controls.addEventListener('change', redraw)

  const isVisible = ({ batch, hasOwnColours }: DrawnBatch) =>
    hasOwnColours || selected.has(batch.nodeInstanceId) || !hidden.has(batch.nodeInstanceId)

  function paint() {
    for (const part of drawn) {
      const { batch, object } = part
      const isSelected = selected.has(batch.nodeInstanceId)
      const plain = batch.kind === 'triangles' ? colours.body : colours.line
      object.visible = isVisible(part) && (mode === 'shaded' || batch.kind !== 'triangles')
      part.paint({
        color: isSelected ? colours.selected : plain,
        isFaded: selected.size > 0 && !isSelected,
        isHidden: !isSelected && hidden.has(batch.nodeInstanceId),
      })
      object.renderOrder = isSelected ? 1 : 0
    }
    redraw()
  }

  function fit() {
    const box = new Box3()
    const [visible, selectedBatches] = [
      drawn.filter(isVisible),
      drawn.filter(({ batch }) => selected.has(batch.nodeInstanceId)),
    ]
    for (const { object } of selectedBatches.length > 0 ? selectedBatches : visible)
      box.expandByObject(object)
    if (!box.isEmpty()) fitTo(camera, controls, box)
    redraw()
  }

  /** The first geometry comes before or after the size of the canvas, without which nothing can be fitted into it. */
  function fitFirst() {
    if (wasFitted || !hasSize || drawn.length === 0) return
    wasFitted = true
    fit()
  }

  function clear() {
    shown.clear()
    for (const batch of drawn) batch.dispose()
    drawn = []
  }

  return {
    show(next) {
      clear()
      drawn = next.batches.map((batch) => drawBatch(next, batch))
      for (const { object } of drawn) shown.add(object)
      paint()
      fitFirst()
    },
    select(nodeInstanceIds) {
      selected = nodeInstanceIds
      paint()
    },
    hide(nodeInstanceIds) {
      hidden = nodeInstanceIds
      paint()
    },
    setMode(next) {
      mode = next
      paint()
    },
    setColours(next) {
      colours = next
      scene.background = new Color(next.background)
      paint()
    },
    fit,
    resize(width, height) {
      hasSize = width > 0 && height > 0
      if (!hasSize) return
      renderer.setSize(width, height, false)
      camera.aspect = width / height
      camera.updateProjectionMatrix()
      redraw()
      fitFirst()
    },
    pick(x, y) {
      const { clientWidth, clientHeight } = canvas
      const caster = new Raycaster()
      caster.setFromCamera(new Vector2((x / clientWidth) * 2 - 1, 1 - (y / clientHeight) * 2), camera)
      const near = camera.position.distanceTo(controls.target) * PICK_FRACTION
      caster.params.Line = { threshold: near }
      caster.params.Points = { threshold: near }
      const objects = new Map(drawn.map((batch) => [batch.object, batch]))
      for (const hit of caster.intersectObjects(
        [...objects.keys()].filter(({ visible }) => visible),
        false,
      )) {
        const value = objects.get(hit.object)?.findValue(hit)
        if (value) return value
      }
      return undefined
    },
    dispose() {
      cancelAnimationFrame(frame)
      clear()
      controls.dispose()
      renderer.dispose()
      // Browsers limit the number of WebGL contexts, and would release this one only at the next garbage collection.
      renderer.forceContextLoss()
    },
  }
}

/** Light from the sky, and from above the camera. */
function createLights(camera: PerspectiveCamera): HemisphereLight {
  const lamp = new DirectionalLight('#fff', 1.6)
  lamp.position.set(0.4, 0.6, 1)
  camera.add(lamp, lamp.target)
  lamp.target.position.set(0, 0, -1)
  const sky = new HemisphereLight('#fff', '#a8a8a8', 1.5)
  sky.position.set(0, 0, 1)
  return sky
}

/** Moves the camera along its direction until the whole box is visible. */
function fitTo(camera: PerspectiveCamera, controls: OrbitControls, box: Box3): void {
  const center = box.getCenter(new Vector3())
  const radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-6)
  const halfView = Math.min(1, camera.aspect) * Math.tan((FIELD_OF_VIEW / 2) * (Math.PI / 180))
  const distance = (radius / halfView) * 1.1
  const direction = camera.position.clone().sub(controls.target).normalize()
  controls.target.copy(center)
  camera.position.copy(center).addScaledVector(direction, distance)
  camera.near = distance / 1000
  camera.far = distance * 100
  camera.updateProjectionMatrix()
  controls.update()
}
