import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOfferedVersion, listCanvasObjects, listComponents, listParameterTypes } from '@meadow/document'
import { GLYPHS, SIGNS } from './glyphs.data.ts'
import { iconOf } from './icon-of.ts'

const ALL = [...listComponents(), ...listParameterTypes(), ...listCanvasObjects()]
const KINDS = [...listComponents().filter(isOfferedVersion), ...listParameterTypes(), ...listCanvasObjects()]

test('[WEB-171] given the classes of one tab, when their icons are compared, then those of different names differ, and so do nearly all icons', () => {
  const inTab = Map.groupBy(KINDS, ({ category, icon }) => `${category}: ${icon}`)
  const shared = [...inTab].filter(([, kinds]) => new Set(kinds.map(({ name }) => name)).size > 1)
  assert.deepEqual(
    shared.map(([icon]) => icon),
    [],
  )
  const all = new Set(KINDS.map(({ icon }) => icon))
  assert.ok(all.size > KINDS.length * 0.9, `${all.size} icons for ${KINDS.length} kinds`)
})

test('[WEB-171] given every class, when its icon is drawn, then it is of known drawings that stay on the grid, and each drawing is used', () => {
  const used = KINDS.flatMap(({ icon }) => icon.split(' '))
  const fallbacks = ['plugin', 'script']
  assert.deepEqual(
    [...Object.keys(GLYPHS), ...Object.keys(SIGNS)].filter((name) => ![...used, ...fallbacks].includes(name)),
    [],
  )
  for (const { guid, name } of ALL) {
    const parts = iconOf(guid)
    assert.ok(parts.length > 0, name)
    for (const part of parts) {
      if ('text' in part) continue
      assert.match(part.path, /^M[-\dMmLlHhVvAaCcSsZz., ]+$/, name)
      const [x = -1, y = -1] = (/^M(-?[\d.]+)[ ,]?(-?[\d.]+)/.exec(part.path) ?? []).slice(1).map(Number)
      assert.ok(x >= 0 && x <= 24 && y >= 0 && y <= 24, `${name}: ${part.path}`)
    }
  }
  assert.deepEqual(iconOf('a class of a plug-in'), iconOf('another one'))
})
