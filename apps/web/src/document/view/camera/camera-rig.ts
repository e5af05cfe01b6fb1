import { Box3, MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { distanceOf, FIELD_OF_VIEW, findDepths, STANDARD_VIEWS, type Viewpoint } from './framing.ts'

/** The cameras with and without perspective, and the pointer's control of them. Dispose it. */
export interface CameraRig {
  readonly camera: PerspectiveCamera | OrthographicCamera
  /** Width over height of the view. */
  readonly aspect: number
  read(): Viewpoint
  write(viewpoint: Viewpoint): void
  resize(width: number, height: number): void
  /** Adapts the nearest and farthest depths to what is visible. */
  adaptDepths(visible: Box3 | undefined): void
  /** Whether dragging moves the camera. */
  setEnabled(isEnabled: boolean): void
  dispose(): void
}

/**
 * Left and right buttons orbit, as in Rhino, where Shift pans; the middle button pans, the wheel zooms. One finger
 * orbits, two pan and zoom. `onMove` is called for each change, with whether the user made it.
 */
export function createCameraRig(element: HTMLElement, onMove: (isByUser: boolean) => void): CameraRig {
  const perspective = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 1000)
  const parallel = new OrthographicCamera(-1, 1, 1, -1, -1000, 1000)
  for (const camera of [perspective, parallel]) camera.up.set(0, 0, 1)
  let camera: PerspectiveCamera | OrthographicCamera = perspective
  let aspect = 1
  let isDragging = false
  const controls = new OrbitControls<PerspectiveCamera | OrthographicCamera>(camera, element)
  controls.zoomToCursor = true
  controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.ROTATE }
  controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN }
  controls.addEventListener('start', () => {
    isDragging = true
  })
  controls.addEventListener('end', () => {
    isDragging = false
  })

  function read(): Viewpoint {
    const direction = camera.position.clone().sub(controls.target)
    const distance = direction.length()
    direction.normalize()
    const span = camera === parallel ? parallel.top / parallel.zoom : distance / distanceOf({ span: 1 })
    return { target: controls.target.clone(), direction, span, isParallel: camera === parallel }
  }

  function write(viewpoint: Viewpoint): void {
    camera = viewpoint.isParallel ? parallel : perspective
    controls.object = camera
    controls.target.copy(viewpoint.target)
    camera.position.copy(viewpoint.target).addScaledVector(viewpoint.direction, distanceOf(viewpoint))
    parallel.zoom = 1
    parallel.top = viewpoint.span
    applyAspect()
    controls.update()
  }

  function applyAspect(): void {
    perspective.aspect = aspect
    parallel.bottom = -parallel.top
    parallel.right = parallel.top * aspect
    parallel.left = -parallel.right
    perspective.updateProjectionMatrix()
    parallel.updateProjectionMatrix()
  }

  write({ target: new Vector3(), direction: STANDARD_VIEWS.perspective, span: 1, isParallel: false })
  controls.addEventListener('change', () => onMove(isDragging))
  return {
    get camera() {
      return camera
    },
    get aspect() {
      return aspect
    },
    read,
    write(viewpoint) {
      write(viewpoint)
      onMove(false)
    },
    resize(width, height) {
      aspect = width / height
      applyAspect()
    },
    adaptDepths(visible) {
      const depths = findDepths(read(), visible ?? new Box3(controls.target, controls.target))
      if (depths.near === camera.near && depths.far === camera.far) return
      camera.near = depths.near
      camera.far = depths.far
      camera.updateProjectionMatrix()
    },
    setEnabled(isEnabled) {
      controls.enabled = isEnabled
    },
    dispose: () => controls.dispose(),
  }
}
