import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Box3, OrthographicCamera, PerspectiveCamera, Vector3 } from 'three'
import { matchCharacterKey } from '../../keys/use-keys.ts'
import {
  distanceOf,
  FIELD_OF_VIEW,
  findDepths,
  fit,
  judgeFraming,
  orbit,
  STANDARD_VIEWS,
  screenAxes,
  type Viewpoint,
} from './framing.ts'
import { CAMERA_KEYS, lookFrom, moveByArrow, moveByKey } from './view-keys.ts'

const START: Viewpoint = {
  target: new Vector3(),
  direction: STANDARD_VIEWS.perspective.clone(),
  span: 1,
  isParallel: false,
}

/** The camera that the viewer would draw with. */
function createCamera(viewpoint: Viewpoint, box: Box3, aspect: number) {
  const { near, far } = findDepths(viewpoint, box)
  const { span } = viewpoint
  const camera = viewpoint.isParallel
    ? new OrthographicCamera(-span * aspect, span * aspect, span, -span, near, far)
    : new PerspectiveCamera(FIELD_OF_VIEW, aspect, near, far)
  camera.up.set(0, 0, 1)
  camera.position.copy(viewpoint.target).addScaledVector(viewpoint.direction, distanceOf(viewpoint))
  camera.lookAt(viewpoint.target)
  camera.updateMatrixWorld()
  return camera
}

const corners = ({ min, max }: Box3) =>
  [min.x, max.x].flatMap((x) =>
    [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))),
  )

/** Boxes from a thousandth to a million units, flat ones and points among them, up to a million units away. */
const anyBox = fc
  .record({
    scale: fc.constantFrom(1e-3, 1, 1000, 1e6),
    size: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 0.01, 0.5, 1))),
    place: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, -3, 1000))),
  })
  .map(({ scale, size, place }) => {
    const min = new Vector3(...place).multiplyScalar(scale)
    return new Box3(min, min.clone().add(new Vector3(...size).multiplyScalar(scale)))
  })

test('[WEB-57] given any box, when it is fitted, then all of it is in view, large and between the depths of the camera', () => {
  fc.assert(
    fc.property(
      anyBox,
      fc.constantFrom(...Object.values(STANDARD_VIEWS)),
      fc.constantFrom(0.45, 1, 2.5),
      fc.boolean(),
      (box, direction, aspect, isParallel) => {
        const viewpoint = fit({ ...START, direction, isParallel }, box, aspect)
        const camera = createCamera(viewpoint, box, aspect)
        const seen = corners(box).map((corner) => corner.project(camera))
        for (const { x, y, z } of seen)
          assert.ok(Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= 1, `${x} ${y} ${z}`)
        if (!isParallel) assert.ok(camera.near > 0 && camera.far / camera.near < 1e6 + 1)
        const axes = screenAxes(direction)
        const size = box.getSize(new Vector3())
        const isVisible = [axes.right, axes.up].some((axis) => Math.abs(size.dot(axis)) > 0.3 * size.length())
        const extent = Math.max(...seen.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]))
        if (isVisible) assert.ok(extent > 0.6, `only ${extent} of the view`)
        if (isVisible) assert.equal(judgeFraming(viewpoint, box, aspect), 'well')
      },
    ),
  )
})

test('[WEB-56, WEB-57] given a fitted box, when what is visible changes, then it is judged whether it is still seen', () => {
  const box = (x: number, size: number) => new Box3(new Vector3(x, 0, 0), new Vector3(x + size, size, size))
  const viewpoint = fit(START, box(0, 10), 1.5)
  const judge = (other: Box3, from = viewpoint) => judgeFraming(from, other, 1.5)
  assert.equal(judge(box(0, 10)), 'well')
  assert.equal(judge(box(0, 9)), 'well')
  assert.equal(judge(box(0, 100)), 'partly')
  assert.equal(judge(box(3, 1)), 'small')
  assert.equal(judge(box(3, 0.001)), 'tiny')
  assert.equal(judge(box(3, 0)), 'well', 'a point is as large as points are drawn')
  assert.equal(judge(box(1000, 10)), 'outside')
  const behind = viewpoint.target.clone().addScaledVector(viewpoint.direction, 3 * distanceOf(viewpoint))
  assert.equal(judge(new Box3(behind, behind.clone().addScalar(1))), 'outside')
  assert.equal(judge(box(-500, 1000)), 'partly', 'a box around the camera')
  assert.equal(judge(box(1000, 10), { ...viewpoint, isParallel: true }), 'outside')
})

test('[WEB-58] given the standard views, when their axes on the screen are read, then they are those of Rhino', () => {
  const axes = (view: keyof typeof STANDARD_VIEWS) => {
    const { right, up } = screenAxes(lookFrom(START, view).direction)
    return [right, up].map((axis) => axis.toArray().map((part) => Math.round(part) + 0))
  }
  const [x, y, z] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]
  const minus = (axis: number[]) => axis.map((part) => 0 - part)
  assert.deepEqual(axes('top'), [x, y])
  assert.deepEqual(axes('bottom'), [x, minus(y!)])
  assert.deepEqual(axes('front'), [x, z])
  assert.deepEqual(axes('back'), [minus(x!), z])
  assert.deepEqual(axes('right'), [y, z])
  assert.deepEqual(axes('left'), [minus(y!), z])
  assert.equal(lookFrom(START, 'top').isParallel, true)
  assert.equal(lookFrom(START, 'perspective').isParallel, false)
})

test('[WEB-58] given keys, when they are pressed, then the camera orbits, pans, zooms and looks along an axis', () => {
  const press = (key: string, shiftKey = false) => {
    const event = { key, shiftKey, ctrlKey: false, metaKey: false, altKey: false }
    const name = matchCharacterKey(event, CAMERA_KEYS)
    return name ? moveByKey(START, name) : moveByArrow(START, event)
  }
  const turned = press('ArrowRight')!
  assert.deepEqual(turned.target, START.target)
  assert.ok(turned.direction.distanceTo(START.direction) > 0.05)
  const panned = press('ArrowRight', true)!
  assert.ok(panned.target.dot(screenAxes(START.direction).right) > 0)
  assert.deepEqual(panned.direction, START.direction)
  assert.ok(press('+')!.span < START.span && press('-')!.span > START.span)
  assert.deepEqual(press('1')!.direction, STANDARD_VIEWS.top)
  assert.equal(press('p')!.isParallel, true)
  assert.equal(press('x'), undefined)
  let above = START
  for (let i = 0; i < 40; i++) above = orbit(above, 0, 0.1)
  assert.ok(
    above.direction.z > 0.999 && Math.hypot(above.direction.x, above.direction.y) > 0,
    'it stops above',
  )
})
