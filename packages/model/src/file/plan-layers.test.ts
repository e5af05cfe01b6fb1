import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Group } from '@meadow/contract'
import type { Shader } from '@meadow/geometry/values/value'
import { GLASS } from '../testing/materials.ts'
import { planLayers } from './plan-layers.ts'

interface Named {
  nodeInstanceId: string
  nodeName: string
  material?: Shader
}

const plan = (nodes: Named[], groups: Group[] = [], hiddenNodeIds: string[] = []) =>
  planLayers(nodes, { documentId: 'document', groups, hiddenNodeIds: new Set(hiddenNodeIds) })

const namesOf = (...names: string[]) =>
  plan(names.map((nodeName, i) => ({ nodeInstanceId: `${i}`, nodeName }))).layers.map(({ name }) => name)

const nodes = (...ids: string[]): Named[] => ids.map((id) => ({ nodeInstanceId: id, nodeName: `Node ${id}` }))

const group = (id: string, nodeIds: string, groupIds = '', colour = '#10203040'): Group => ({
  id,
  label: `Group ${id}`,
  colour,
  nodeInstanceIds: [...nodeIds],
  groupIds: [...groupIds],
})

/** The path of each layer, as Rhino shows it. */
function pathsOf(...parameters: Parameters<typeof plan>): string[] {
  const paths = new Map<string | undefined, string>([[undefined, '']])
  return plan(...parameters).layers.map(({ id, name, parentId }) => {
    const parent = paths.get(parentId)
    assert.ok(parent !== undefined, 'a layer comes after the one that it is in')
    paths.set(id, `${parent}${name}::`)
    return `${parent}${name}`
  })
}

test('[MOD-10] given nodes of equal names, when layers are planned, then each has a name of its own', () => {
  assert.deepEqual(namesOf('Box', 'box', 'Box 2', 'Box', 'Circle'), [
    'Box',
    'box 2',
    'Box 2 2',
    'Box 3',
    'Circle',
  ])
})

test('[MOD-10] given thousands of nodes of one name, when layers are planned, then as many names', () => {
  const names = namesOf(...Array.from({ length: 20_000 }, () => 'Point'))
  assert.equal(new Set(names).size, 20_000)
  assert.equal(names.at(-1), 'Point 20000')
})

test('[MOD-10] given names that Rhino takes for something else, when layers are planned, then without that', () => {
  const names = namesOf('A::B', ' \n', 'C\u0000D', 'x'.repeat(300))
  assert.deepEqual(names, ['A:B', 'Node', 'C D', 'x'.repeat(200)])
})

test('[MOD-10] given many values of one node, when layers are planned, then one layer', () => {
  const { layers, layerOf } = plan(nodes('a', 'b', 'a'))
  assert.deepEqual(
    layers.map(({ name }) => name),
    ['Node a', 'Node b'],
  )
  assert.deepEqual(
    [...layerOf],
    [
      ['a', 0],
      ['b', 1],
    ],
  )
})

test('[MOD-81] given groups in groups, when layers are planned, then those with nodes are layers around them', () => {
  const groups = [group('A', 'a', 'B'), group('B', 'b', 'C'), group('C', 'c'), group('empty', 'z')]
  assert.deepEqual(pathsOf(nodes('c', 'a', 'x'), groups), [
    'Group A',
    'Group A::Group B',
    'Group A::Group B::Group C',
    'Group A::Group B::Group C::Node c',
    'Group A::Node a',
    'Node x',
  ])
})

test('[MOD-81] given groups around the same nodes, when layers are planned, then the smaller ones are inside', () => {
  const [outer, inner, across] = [group('out', 'abcd'), group('in', 'ab'), group('over', 'bcx')]
  const expected = ['Group out', 'Group out::Group in', 'Group out::Group in::Node a', 'Group out::Node d']
  assert.deepEqual(pathsOf(nodes('a', 'd'), [outer, inner]), expected)
  assert.deepEqual(pathsOf(nodes('a', 'd'), [inner, outer]), expected)
  assert.deepEqual(pathsOf(nodes('c', 'd'), [outer, across]), [
    'Group over',
    'Group over::Node c',
    'Group out',
    'Group out::Node d',
  ])
})

test('[MOD-81] given groups that contain each other or themselves, when layers are planned, then none is lost', () => {
  const groups = [group('A', 'a', 'B'), group('B', 'b', 'AB'), group('C', 'c', 'C?')]
  assert.deepEqual(pathsOf(nodes('a', 'c'), groups), [
    'Group B',
    'Group B::Node a',
    'Group C',
    'Group C::Node c',
  ])
})

test('[MOD-81] given equal names in one group and in others, when layers are planned, then names are unique in each', () => {
  const box = (id: string) => ({ nodeInstanceId: id, nodeName: 'Box' })
  const [first, second] = [group('A', 'ab'), { ...group('B', 'c'), label: 'group a' }]
  assert.deepEqual(pathsOf([box('a'), box('b'), box('c'), box('x')], [first, second]), [
    'Group A',
    'Group A::Box',
    'Group A::Box 2',
    'group a 2',
    'group a 2::Box',
    'Box',
  ])
  const unnamed = { ...first, label: ' ' }
  assert.deepEqual(pathsOf(nodes('a'), [unnamed]), ['Group', 'Group::Node a'])
})

test('[MOD-81] given a coloured group, when layers are planned, then its layer and those of its nodes have the colour, opaque', () => {
  const colours = plan(nodes('a', 'x'), [group('A', 'a', '', '#ff800040')]).layers.map(({ colour }) => colour)
  const orange = { type: 'colour', red: 255, green: 128, blue: 0, alpha: 255 }
  assert.deepEqual(colours, [orange, orange, undefined])
})

test('[MOD-82] given nodes whose preview is off, when layers are planned, then theirs are off, unless a value is shown in a material', () => {
  const [a, b, c] = nodes('a', 'b', 'c') as [Named, Named, Named]
  const { layers } = plan([a, b, { ...b, material: GLASS }, c], [group('A', 'a')], ['a', 'b'])
  assert.deepEqual(
    layers.map(({ name, isOff }) => [name, isOff]),
    [
      ['Group A', false],
      ['Node a', true],
      ['Node b', false],
      ['Node c', false],
    ],
  )
})
