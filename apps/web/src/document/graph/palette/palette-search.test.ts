import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOfferedVersion, listCanvasObjects, listComponents, listParameterTypes } from '@meadow/document'
import type { PaletteKind } from '../../../api/palette-query.ts'
import { COMMONNESS, describePorts, readSlider, searchPalette } from './palette-search.ts'

const kind = (name: string, nickName: string, more: Partial<PaletteKind> = {}): PaletteKind => ({
  templateId: name,
  name,
  nickName,
  category: 'Maths',
  subcategory: 'Domain',
  description: '',
  unsolved: null,
  isParameter: false,
  inputs: [],
  outputs: [],
  ...more,
})

const SLIDER = kind('Number Slider', 'Slider', { templateId: '57da07bd-ecab-415d-9d86-af36d7073abc' })
const PANEL = kind('Panel', 'Panel', { templateId: '59e0b89a-e487-49f8-bab8-b5bab16be14c' })
const KINDS = [
  kind('Construct Domain', 'Dom'),
  kind('Deconstruct Domain', 'DeDomain'),
  kind('Divide Domain', 'Div'),
  kind('Division', 'A/B', { subcategory: 'Operators' }),
  SLIDER,
  PANEL,
]

const namesOf = (typed: string) => searchPalette(KINDS, typed).map(({ label }) => label)

test('[WEB-12] given a name, when it is typed, then exact matches come first, then prefixes, then the rest', () => {
  assert.deepEqual(namesOf('division').slice(0, 1), ['Division'])
  assert.deepEqual(namesOf('div').slice(0, 2), ['Division', 'Divide Domain'])
  assert.equal(namesOf('panel')[0], 'Panel')
  assert.equal(namesOf('dom')[0], 'Construct Domain')
  assert.deepEqual(namesOf('nothing of that name'), [])
})

test('[WEB-12] given the first characters of words, when they are typed, then the kind is found', () => {
  assert.ok(namesOf('cdom').includes('Construct Domain'))
})

test('[WEB-12] given numbers, when they are typed, then a slider with that range is offered first', () => {
  const [first] = searchPalette(KINDS, '0<5<10')
  assert.deepEqual(first?.setup, { slider: { minimum: 0, value: 5, maximum: 10, decimals: 0 } })
  assert.equal(first?.kind, SLIDER)
})

test('[WEB-12] given a quote, when text follows it, then a panel with that text is offered first', () => {
  const [first] = searchPalette(KINDS, '"storeys"')
  assert.deepEqual(first?.setup, { panelText: 'storeys' })
})

test('[WEB-12] given numbers in any form, when they are read as a slider, then the number lies in the range', () => {
  const cases: Record<string, ReturnType<typeof readSlider>> = {
    '7': { minimum: 0, value: 7, maximum: 10, decimals: 0 },
    '10': { minimum: 0, value: 10, maximum: 10, decimals: 0 },
    '12.50': { minimum: 0, value: 12.5, maximum: 100, decimals: 2 },
    '-3': { minimum: -3, value: -3, maximum: 1, decimals: 0 },
    '0': { minimum: 0, value: 0, maximum: 1, decimals: 0 },
    '0..100': { minimum: 0, value: 0, maximum: 100, decimals: 0 },
    '-1 < 0.25 < 1': { minimum: -1, value: 0.25, maximum: 1, decimals: 2 },
    '5<3<10': undefined,
    '10<5': undefined,
    ten: undefined,
    '': undefined,
  }
  for (const [typed, expected] of Object.entries(cases)) assert.deepEqual(readSlider(typed), expected, typed)
})

/** The component library, as the server sends it. */
const LIBRARY: PaletteKind[] = [
  ...listComponents().filter(isOfferedVersion),
  ...listParameterTypes(),
  ...listCanvasObjects(),
].map(({ guid, name, nickName, category, subcategory }) =>
  kind(name, nickName || name, { templateId: guid, category, subcategory }),
)

test('[WEB-38] given what Grasshopper users type, when the component library is searched, then the usual kinds come first', () => {
  const cases: Record<string, string[]> = {
    div: ['Maths/Division', 'Curve/Divide Curve', 'Maths/Divide Domain'],
    move: ['Transform/Move'],
    pt: ['Vector/Construct Point', 'Params/Point'],
    srf: ['Params/Surface'],
    crv: ['Params/Curve'],
    line: ['Curve/Line', 'Params/Line'],
    circle: ['Curve/Circle'],
    rec: ['Curve/Rectangle'],
    num: ['Params/Number Slider'],
    slider: ['Params/Number Slider'],
    panel: ['Params/Panel'],
    add: ['Maths/Addition'],
    mult: ['Maths/Multiplication'],
    extr: ['Surface/Extrude'],
    len: ['Curve/Length'],
    'list item': ['Sets/List Item'],
    item: ['Sets/List Item'],
    graft: ['Sets/Graft Tree'],
    flatten: ['Sets/Flatten Tree'],
    remap: ['Maths/Remap Numbers'],
    'curve divide': ['Curve/Divide Curve'],
    color: ['Params/Colour'],
    '+': ['Maths/Addition'],
    '*': ['Maths/Multiplication'],
    '/': ['Maths/Division'],
    '>': ['Maths/Larger Than'],
  }
  for (const [typed, expected] of Object.entries(cases)) {
    const found = searchPalette(LIBRARY, typed).map(({ kind }) => `${kind.category}/${kind.name}`)
    assert.deepEqual(found.slice(0, expected.length), expected, typed)
  }
})

test('[WEB-38] given ports, when they are described, then repeated ones are marked', () => {
  const port = (name: string, isRepeated = false) => ({
    name,
    nickName: name,
    type: 'Data',
    access: 'item' as const,
    isOptional: false,
    isRepeated,
    description: '',
    defaults: [],
  })
  assert.equal(describePorts([port('Gate'), port('Stream 0', true)]), 'Gate, Stream 0 …')
})

test('[WEB-38] given the list of common kinds, then the component library has each of them', () => {
  const known = new Set(LIBRARY.map(({ category, name }) => `${category}/${name}`))
  assert.deepEqual(
    [...COMMONNESS.keys()].filter((each) => !known.has(each)),
    [],
  )
})
