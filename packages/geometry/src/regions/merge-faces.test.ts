import assert from 'node:assert/strict'
import test from 'node:test'
import { getBrepArea, getBrepVolume } from '../breps/brep-mass.ts'
import { joinBreps } from '../breps/join-breps.ts'
import { toBrep } from '../breps/to-brep.ts'
import type { Brep } from '../values/brep.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import { WORLD_XY } from '../values/planes.ts'
import { domain } from '../values/value.ts'
import { mergeCoplanarFaces } from './merge-faces.ts'

const TOLERANCE = 0.001
const DEGREE = Math.PI / 180

type Corner = readonly [x: number, y: number, z: number]

function face(...[a, b, c, d]: [Corner, Corner, Corner, Corner]): Brep {
  const [p, q, r, s] = [a, b, c, d].map(([x, y, z]) => ({ x, y, z }))
  const points = [
    [p!, s!],
    [q!, r!],
  ]
  return toBrep({
    type: 'nurbsSurface',
    degreeU: 1,
    degreeV: 1,
    points,
    knotsU: [0, 1],
    knotsV: [0, 1],
  }) as Brep
}

/** Unit squares in the XY plane, one for each `#` in rows of text. */
function squares(...rows: string[]): Brep[] {
  return rows.flatMap((row, y) =>
    [...row].flatMap((sign, x) =>
      sign === '#' ? [face([x, y, 0], [x + 1, y, 0], [x + 1, y + 1, 0], [x, y + 1, 0])] : [],
    ),
  )
}

function join(...breps: Brep[]): Brep {
  const joined = joinBreps(breps, TOLERANCE)
  assert.equal(joined.length, 1)
  return joined[0] as Brep
}

function merge(brep: Brep): Brep | undefined {
  return mergeCoplanarFaces(brep, TOLERANCE, DEGREE)
}

function box(x: number, length: number): Brep[] {
  const solid = { x: domain(x, x + length), y: domain(0, 2), z: domain(0, 3) }
  const { faces, ...brep } = toBrep({ type: 'box', plane: WORLD_XY, ...solid }) as Brep
  return faces.map((face) => ({ ...brep, faces: [face] }))
}

/** The faces of a box that are not in the plane of x. */
function openAt(x: number, faces: readonly Brep[]): Brep[] {
  return faces.filter(({ faces: [face] }) => !face?.surface.points.flat().every((point) => point.x === x))
}

test('[MF-1] given two halves of a box, when faces in one plane are merged, then it has six faces and the same volume', () => {
  const whole = join(...openAt(1, box(0, 1)), ...openAt(1, box(1, 3)))
  assert.equal(whole.faces.length, 10)
  const merged = merge(whole) as Brep
  assert.equal(merged.faces.length, 6)
  assert.equal(isClosedBrep(merged), true)
  assert.ok(Math.abs(getBrepVolume(merged).size - 24) < 1e-9)
  assert.ok(Math.abs(getBrepArea(merged).size - 52) < 1e-9)
})

test('[MF-2] given faces around an opening, when they are merged, then the opening is a hole of the one face', () => {
  const merged = merge(join(...squares('###', '#.#', '###'))) as Brep
  assert.equal(merged.faces.length, 1)
  assert.equal(merged.faces[0]?.loops.length, 2)
  assert.ok(Math.abs(getBrepArea(merged).size - 8) < 1e-9)
})

test('[MF-3] given faces with a fold between them, or one face, when they are merged, then the brep is the same', () => {
  const folded = join(...squares('#'), face([1, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 0]))
  assert.equal(merge(folded), folded)
  const [single] = squares('#')
  assert.equal(merge(single as Brep), single)
})

test('[MF-4] given faces that are nearly in one plane, when they are merged, then the result is unclear', () => {
  const tilted = face([1, 0, 0], [2, 0, 0.01], [2, 1, 0.01], [1, 1, 0])
  assert.equal(merge(join(...squares('#'), tilted)), undefined)
})

test('[MF-5] given faces whose union touches itself at a corner, when they are merged, then the result is unclear', () => {
  assert.equal(merge(join(...squares('##.', '#.#', '###'))), undefined)
})
