import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Shader } from '@meadow/geometry/values/value'
import { colour, GLASS, paint } from '../testing/materials.ts'
import { MAX_MATERIALS, planMaterials } from './plan-materials.ts'

const plan = (shaders: Shader[]) => planMaterials(shaders, 'document')

test('[MOD-83] given shaders that are equal and others, when materials are planned, then each different one once', () => {
  const shinier = { ...GLASS, shine: 41 }
  const { materials, indexOf } = plan([
    paint(colour(255, 128, 0)),
    GLASS,
    paint(colour(255, 128, 0)),
    shinier,
    { ...GLASS },
  ])
  assert.deepEqual(
    materials.map(({ name, transparency }) => [name, transparency]),
    [
      ['#ff8000', 0],
      ['#14c8b4, 75% transparent', 0.75],
      ['#14c8b4, 75% transparent 2', 0.75],
    ],
  )
  assert.equal(new Set(materials.map(({ id }) => id)).size, 3)
  assert.deepEqual([indexOf(paint(colour(255, 128, 0))), indexOf({ ...GLASS }), indexOf(shinier)], [0, 1, 2])
  assert.equal(materials[1]!.shine, (40 / 100) * 255)
})

test('[MOD-83] given a transparent colour, and a material of one, when materials are planned, then they are as transparent', () => {
  const half = colour(10, 20, 30, 51)
  const { materials } = plan([paint(half), { ...GLASS, diffuse: half }])
  assert.deepEqual(
    materials.map(({ transparency }) => transparency),
    [0.8, 0.8],
  )
})

test('[MOD-84] given more materials than a file may have, when materials are planned, then the most used ones are written', () => {
  const colours = Array.from({ length: 3000 }, (_, i) => colour(i % 256, i >> 8, 7))
  const { materials, indexOf } = plan([...colours.map((own) => paint(own)), GLASS, GLASS])
  assert.equal(materials.length, MAX_MATERIALS)
  assert.equal(indexOf(GLASS), MAX_MATERIALS - 1)
  assert.equal(indexOf(paint(colours[0]!)), 0)
  assert.equal(indexOf(paint(colours.at(-1)!)), undefined)
})
