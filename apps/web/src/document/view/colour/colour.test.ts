import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataBranch, DataValue } from '@meadow/contract'
import type { BufferGeometry, Mesh, Object3D } from 'three'
import { createModelDrawing } from '../drawing/model-drawing.ts'
import { chooseLooks, LOOK, NO_CHOICES } from '../scene/looks.ts'
import { readValues, type SceneValues } from '../scene/scene-values.ts'
import { buildScene, cube, line } from '../testing/build-scene.ts'
import { type ColourChoice, DEFAULT_CHOICE, readChoice, writeChoice } from './colour-choice.ts'
import { type ColourContext, colourValues, countShown } from './colour-values.ts'
import { matchValues } from './match-values.ts'
import { colourAt, MAX_CATEGORIES, NO_VALUE, packColour } from './scales.ts'

const number = (value: number): DataValue => ({ type: 'number', value })
const text = (value: string): DataValue => ({ type: 'string', value })

const toData = (branches: Record<string, (DataValue | null)[]>) => {
  const list: DataBranch[] = Object.entries(branches).map(([path, values]) => ({ path, values }))
  return {
    branches: list,
    total: list.reduce((sum, { values }) => sum + values.length, 0),
    branchCount: list.length,
  }
}

/** Cubes of one node, by how many there are in each branch. */
const readCubes = async (branches: Record<string, number>): Promise<SceneValues> =>
  readValues(
    await buildScene(
      Object.entries(branches).flatMap(([path, count], branch) =>
        Array.from({ length: count }, (_, index) => ({
          node: 'cubes',
          geometry: cube(2 * index, 2 * branch, 0),
          path,
          index,
        })),
      ),
    ),
  )

const contextOf = (choice: Partial<ColourChoice>, data?: ReturnType<typeof toData>): ColourContext => ({
  choice: { ...DEFAULT_CHOICE, ...choice },
  data,
  summaryOf: () => undefined,
  nameNode: (id) => id.toUpperCase(),
  unit: 'mm',
})

const byPort = { by: 'port', nodeInstanceId: 'n', portInstanceId: 'p' } as const

test('[WEB-221] given trees, when objects get values, then by path and index where the trees are the same, by order where they have as many, and otherwise not at all', () => {
  const port = {
    branches: [
      { path: '{0;0}', values: 2 },
      { path: '{0;1}', values: 1 },
    ],
    count: 3,
  }
  const whole = { branches: 2, values: 3 }
  const [a, b, c] = [number(1), number(2), number(3)]
  const same = matchValues(port, whole, toData({ '{0;0}': [a, null], '{0;1}': [c] }))
  assert.deepEqual(same, { method: 'path', values: [a, null, c] })
  const flat = matchValues(port, whole, toData({ '{0}': [a, b, c] }))
  assert.deepEqual(flat, { method: 'order', values: [a, b, c] })
  const shorter = matchValues(port, whole, toData({ '{0;0}': [a], '{0;1}': [c] }))
  assert.deepEqual(shorter, { method: 'path', values: [a, undefined, c] })
  const other = matchValues(port, whole, toData({ '{0}': [a, b] }))
  assert.deepEqual(other, { method: 'none', values: new Array(3) })
  // One branch {0} is nearly everywhere: of another length it says nothing.
  const list = { branches: [{ path: '{0}', values: 1 }], count: 1 }
  assert.equal(matchValues(list, { branches: 1, values: 1 }, toData({ '{0}': [a, b] })).method, 'none')
  // The scene ends with the last object that can be drawn; which items follow is not known by order.
  assert.equal(matchValues(list, { branches: 1, values: 2 }, toData({ '{0}': [a, b] })).method, 'path')
  assert.equal(matchValues(list, { branches: 1, values: 2 }, toData({ '{7}': [a, b] })).method, 'none')
})

test('[WEB-220, WEB-221] given numbers, when objects are coloured, then each has its place on the scale, and those without a value are grey and counted', async () => {
  const values = await readCubes({ '{0}': 4 })
  const data = toData({ '{0}': [number(10), null, number(30), { type: 'number', value: 'NaN' }] })
  const { colours, scale, known, unknown, categories, matches } = colourValues(
    values,
    contextOf(byPort, data),
  )
  const at = (share: number) => packColour(colourAt(share, DEFAULT_CHOICE))
  assert.deepEqual([...colours], [at(0), packColour(NO_VALUE), at(1), packColour(NO_VALUE)])
  assert.deepEqual(
    [scale, known, unknown, categories],
    [{ min: 10, max: 30, domain: [10, 30], unit: '' }, 2, 2, []],
  )
  assert.deepEqual(
    matches.map(({ method, known, objects }) => [method, known, objects]),
    [['path', 2, 4]],
  )
  const typed = colourValues(values, contextOf({ ...byPort, domain: [20, 40], isReversed: true }, data))
  assert.deepEqual([typed.colours[0], typed.colours[2]], [at(1), at(0.5)])
  const steps = { ...DEFAULT_CHOICE, steps: 2 }
  assert.deepEqual(
    [0, 0.49, 0.51, 1].map((share) => colourAt(share, steps)),
    [0, 0, 1, 1].map((share) => colourAt(share, DEFAULT_CHOICE)),
  )
  const both = toData({ '{0}': [-1, 0, 4, 2].map(number) })
  const diverging = colourValues(values, contextOf({ ...byPort, scale: 'diverging' }, both))
  assert.deepEqual(diverging.scale!.domain, [-4, 4])
})

test('[WEB-220] given names, when objects are coloured, then each name has a colour of its own, the most frequent first, and too many share one', async () => {
  const values = await readCubes({ '{0}': 3, '{1}': 1 })
  const paths = colourValues(values, contextOf({ by: 'path' }))
  assert.deepEqual(
    paths.categories.map(({ name, numbers }) => [name, numbers]),
    [
      ['{0}', [0, 1, 2]],
      ['{1}', [3]],
    ],
  )
  assert.notEqual(paths.colours[0], paths.colours[3])
  assert.deepEqual(
    colourValues(values, contextOf({ by: 'node' })).categories.map(({ name }) => name),
    ['CUBES'],
  )
  const named = toData({
    '{0}': [text('wall'), text('wall'), { type: 'boolean', value: true }],
    '{1}': [text('roof')],
  })
  assert.deepEqual(
    colourValues(values, contextOf(byPort, named)).categories.map(({ name, numbers }) => [
      name,
      numbers.length,
    ]),
    [
      ['wall', 2],
      ['roof', 1],
      ['True', 1],
    ],
  )
  const many = await readCubes({ '{0}': MAX_CATEGORIES + 5 })
  const texts = toData({ '{0}': Array.from({ length: MAX_CATEGORIES + 5 }, (_, i) => text(`t${i}`)) })
  const { categories, colours } = colourValues(many, contextOf(byPort, texts))
  assert.equal(categories.length, MAX_CATEGORIES + 1)
  assert.deepEqual([categories.at(-1)!.name, categories.at(-1)!.count], ['5 others', 5])
  assert.equal(new Set(colours).size, MAX_CATEGORIES + 1)
  const branches = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`{${i}}`, 1]))
  assert.deepEqual(colourValues(await readCubes(branches), contextOf({ by: 'path' })).scale!.domain, [0, 39])
})

test('[WEB-220] given curves and bodies, when they are coloured by length or area, then only those that have one', async () => {
  const values = readValues(
    await buildScene([
      { node: 'a', geometry: line([0, 0, 0], [0, 0, 3]) },
      { node: 'b', geometry: cube(0, 0, 0, 2) },
    ]),
  )
  const lengths = colourValues(values, contextOf({ by: 'length', scale: 'categories' }))
  assert.deepEqual([lengths.keyOf(0), lengths.keyOf(1), lengths.scale!.unit], [3, undefined, 'mm'])
  const areas = colourValues(values, contextOf({ by: 'area' }))
  assert.deepEqual([areas.keyOf(0), areas.keyOf(1), areas.scale!.unit], [undefined, 24, 'mm²'])
  const units = colourValues(values, { ...contextOf({ by: 'area' }), unit: '' })
  assert.equal(units.scale!.unit, '')
})

test('[WEB-63, WEB-223] given objects, when only their colours change, then there are no more draw calls, and nothing but colours is uploaded', async () => {
  const values = readValues(
    await buildScene(
      Array.from({ length: 50 }, (_, i) => [
        { node: `cube${i}`, geometry: cube(2 * i, 0, 0) },
        { node: `line${i}`, geometry: line([2 * i, 0, 0], [2 * i, 0, 5]) },
      ]).flat(),
    ),
  )
  const drawing = createModelDrawing()
  const display = { isShaded: true, edges: true, isocurves: true, meshEdges: true }
  const listDrawn = () => {
    const drawn: Mesh[] = []
    const visit = (one: Object3D) => {
      if (!one.visible) return
      if ('geometry' in one) drawn.push(one as Mesh)
      one.children.forEach(visit)
    }
    visit(drawing.object)
    return drawn
  }
  drawing.show(values)
  drawing.paint(chooseLooks(values, NO_CHOICES), display)
  const calls = listDrawn().length
  const position = (listDrawn()[0]!.geometry as BufferGeometry).getAttribute('position')
  const coloured = colourValues(values, contextOf({ by: 'node' }))
  drawing.recolour(coloured.colours)
  drawing.paint(chooseLooks(values, NO_CHOICES, true), display)
  assert.equal(listDrawn().length, calls)
  assert.equal((listDrawn()[0]!.geometry as BufferGeometry).getAttribute('position'), position, 'shared')
  /** How often each buffer was uploaded. */
  const versions = () =>
    listDrawn().map(({ geometry }) => ({
      index: geometry.index?.version,
      ...Object.fromEntries(
        Object.entries(geometry.attributes).map(([name, attribute]) => [
          name,
          'data' in attribute ? attribute.data.version : attribute.version,
        ]),
      ),
    }))
  const before = versions()
  drawing.recolour(colourValues(values, contextOf({ by: 'type' })).colours)
  const after = versions()
  const changed = after.flatMap((buffers, i) =>
    Object.entries(buffers)
      .filter(([name, version]) => version !== (before[i] as Record<string, unknown>)[name])
      .map(([name]) => name),
  )
  assert.deepEqual(new Set(changed), new Set(['color', 'instanceColorStart', 'instanceColorEnd']))
  const { array } = (listDrawn()[0]!.geometry as BufferGeometry).getAttribute('color')
  assert.ok(array.some((part) => part !== 0))
  const off = chooseLooks(values, { ...NO_CHOICES, previewOff: new Set(['cube1']) }, true)
  assert.deepEqual([...off].filter((look) => look === LOOK.hidden).length, 1, 'hidden objects stay hidden')
  drawing.dispose()
})

test('[WEB-243] given hidden objects, when objects are coloured, then the legend counts and selects the others', async () => {
  const values = await readCubes({ '{0}': 2, '{1}': 1, '{2}': 1 })
  const coloured = colourValues(values, contextOf({ by: 'path', scale: 'categories' }))
  const hide = (...numbers: number[]) => {
    const hidden = numbers.map((number) => values.describe(number))
    return countShown(coloured, values, chooseLooks(values, { ...NO_CHOICES, hidden }, true))
  }
  const counts = (shown: ReturnType<typeof hide>) => [
    shown.known,
    shown.unknown,
    Object.fromEntries(shown.categories.map(({ name, numbers }) => [name, numbers.length])),
  ]
  assert.deepEqual(counts(hide()), [4, 0, { '{0}': 2, '{1}': 1, '{2}': 1 }])
  const some = hide(1, 2)
  assert.deepEqual(counts(some), [2, 0, { '{0}': 1, '{2}': 1 }])
  assert.deepEqual(some.colours, coloured.colours, 'colours stay')
  const colourOf = ({ categories }: typeof some) => categories.find(({ name }) => name === '{2}')?.colour
  assert.equal(colourOf(some), colourOf(coloured))
  const grey = colourValues(values, contextOf(byPort, toData({ '{0}': [number(1), number(2)] })))
  const greyShown = countShown(
    grey,
    values,
    chooseLooks(values, { ...NO_CHOICES, hidden: [{ nodeInstanceId: 'cubes' }] }, true),
  )
  assert.deepEqual([greyShown.known, greyShown.unknown], [0, 0])
})

test('[WEB-222] given choices, when they are written for an address, then they are read as they were, and nonsense is none', () => {
  const choices: ColourChoice[] = [
    DEFAULT_CHOICE,
    { by: 'area', scale: 'diverging', isReversed: true, steps: 7, domain: [-0.5, 1e-7] },
    {
      by: 'port',
      nodeInstanceId: 'a-b',
      portInstanceId: 'c-d',
      scale: 'cividis',
      isReversed: false,
      steps: 0,
    },
  ]
  for (const choice of choices) assert.deepEqual(readChoice(writeChoice(choice)), choice)
  for (const text of ['', 'colour', 'port', 'port.a', null, undefined])
    assert.equal(readChoice(text), undefined)
  assert.deepEqual(readChoice('index~plasma~s999~d5,1~x'), { ...DEFAULT_CHOICE, by: 'index', steps: 20 })
})
