import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOfferedVersion, listComponents, listParameterTypes } from '@meadow/document'
import type { PaletteKind } from '../../../api/palette-query.ts'
import { addRecent, listTabs } from './list-tabs.ts'

test('[WEB-170] given all kinds, when they are listed by tab, then each is in its family once, in the order of Grasshopper, plug-ins last', () => {
  const kinds = [...listComponents().filter(isOfferedVersion), ...listParameterTypes()].map(
    ({ guid, name, nickName, category, subcategory }): PaletteKind => ({
      templateId: guid,
      name,
      nickName,
      category,
      subcategory,
      description: '',
      unsolved: null,
      isParameter: false,
      inputs: [],
      outputs: [],
    }),
  )
  const tabs = listTabs(kinds)
  assert.equal(
    tabs.map(({ name }) => name).join(),
    'Params,Maths,Sets,Vector,Curve,Surface,Mesh,Intersect,Transform,Display,Kangaroo2',
  )
  const listed = tabs.flatMap(({ families }) => families.flatMap(({ kinds }) => kinds))
  assert.deepEqual(new Set(listed), new Set(kinds))
  assert.equal(listed.length, kinds.length)
  const division = tabs.find(({ name }) => name === 'Curve')?.families.find(({ name }) => name === 'Division')
  assert.ok(division?.kinds.some(({ name }) => name === 'Divide Curve'))
})

test('[WEB-170] given kinds that were inserted, when one is inserted again, then it comes first, and only the last few are remembered', () => {
  assert.deepEqual(addRecent(['a', 'b', 'c'], 'b'), ['b', 'a', 'c'])
  const many = Array.from({ length: 30 }, (_, index) => String(index)).reduce<string[]>(addRecent, [])
  assert.equal(many.length, 8)
  assert.equal(many[0], '29')
})
