import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOfferedVersion, listCanvasObjects, listComponents, listParameterTypes } from '@meadow/document'
import { GLYPHS, SIGNS } from './glyphs.data.ts'
import { findDeclaration, iconOf } from './icon-of.ts'
import { ICONS } from './icons.data.ts'

const KINDS = [...listComponents().filter(isOfferedVersion), ...listParameterTypes(), ...listCanvasObjects()]

test('[WEB-171] given every class of the component library, when its icon is looked up, then it has one of its own kind, and nearly all icons differ', () => {
  const missing = KINDS.filter(({ guid }) => findDeclaration(guid) === undefined)
  assert.deepEqual(
    missing.map(({ category, name }) => `${category}/${name}`),
    [],
  )
  const inTab = Map.groupBy(KINDS, ({ guid, category }) => `${category}: ${findDeclaration(guid)}`)
  const shared = [...inTab].filter(([, kinds]) => new Set(kinds.map(({ name }) => name)).size > 1)
  assert.deepEqual(
    shared.map(([declaration]) => declaration),
    [],
  )
  const all = new Set(KINDS.map(({ guid }) => findDeclaration(guid)))
  assert.ok(all.size > KINDS.length * 0.9, `${all.size} icons for ${KINDS.length} kinds`)
})

test('[WEB-171] given every class, when its icon is drawn, then it is of known drawings that stay on the grid, and each drawing is used', () => {
  const used = KINDS.flatMap(({ guid }) => findDeclaration(guid)?.split(' ') ?? [])
  const fallbacks = ['plugin', 'script']
  assert.deepEqual(
    [...Object.keys(GLYPHS), ...Object.keys(SIGNS)].filter((name) => ![...used, ...fallbacks].includes(name)),
    [],
  )
  for (const { guid, name } of KINDS) {
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

test('[WEB-171] given the declarations, when they are compared with the library, then each is of a class', () => {
  const known = new Set(
    KINDS.flatMap(({ category, name, nickName }) => [
      `${category}/${name}`,
      `${category}/${name} (${nickName})`,
    ]),
  )
  const declared = Object.entries(ICONS).flatMap(([category, lines]) =>
    lines.split('\n').map((line) => `${category}/${line.slice(0, line.lastIndexOf(': '))}`),
  )
  assert.deepEqual(
    declared.filter((name) => !known.has(name)),
    [],
  )
  assert.equal(new Set(declared).size, declared.length)
})
