import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Box3, type LineSegments, type Mesh, type MeshPhongMaterial } from 'three'
import { MTLLoader } from 'three/addons/loaders/MTLLoader.js'
import { createGraph } from '../../../../apps/server/src/testing/graph/create-graph.ts'
import { loadObj } from '../testing/files.ts'
import { solveGraph } from '../testing/solve-graph.ts'
import { toObj } from './to-obj.ts'

const { document, solution } = solveGraph(
  createGraph('Post', ({ group, add, paint }) => {
    group('All', 'geometry')
    const axis = add(
      'Line SDL',
      [add('Construct Point', [2, 1, 0], 'Foot'), add('Unit Z', [], 'Up'), 4],
      'Axis',
    )
    paint('Glass', '#8fc1d966', add('Pipe', { Curve: axis, Radius: 0.5 }, 'My post'))
  }),
)

test('[GLB-11] given a solution, when it is written as OBJ, then another reader finds its triangles, lines, points and materials', () => {
  const { obj, mtl, counts } = toObj(solution, { document, hidden: true, units: 'feet' })
  const { children } = loadObj(obj)
  const find = (name: string) => children.find((child) => child.name.startsWith(name))
  const pipe = find('Pipe_{0;0}[0]') as Mesh<never, MeshPhongMaterial>
  assert.equal(pipe.material.name, '#8fc1d966')
  const { min, max } = new Box3().setFromObject(pipe)
  const feet = ({ x, y, z }: typeof min) =>
    [x, y, z].map((number) => Math.round((number / 0.3048) * 1e3) / 1e3)
  assert.deepEqual(
    [feet(min), feet(max)],
    [
      [1.5, 0, -1.5],
      [2.5, 4, -0.5],
    ],
  )
  const axis = find('Line_{0}[0]') as LineSegments
  assert.equal(axis.geometry.attributes.position!.count, 2)
  assert.ok(find('Point'))
  assert.match(obj, /^g My_post$/m)
  assert.match(obj, /^# node \S+ port \S+ path \{0\} index 0$/m)
  assert.deepEqual([counts.values, counts.points], [3, 1])

  const glass = new MTLLoader().parse(mtl, '').create('#8fc1d966') as MeshPhongMaterial
  assert.deepEqual([glass.color.getHexString(), glass.opacity], ['8fc1d9', 0.4])
})

test('[GLB-11] given the z axis as the one that is up, when a solution is written as OBJ, then it is as in the document', () => {
  const { obj } = toObj(solution, { document, hidden: true, up: 'z', mtlName: 'my post.mtl' })
  const axis = loadObj(obj).children.find(({ name }) => name.startsWith('Line')) as LineSegments
  assert.deepEqual([...axis.geometry.attributes.position!.array], [2, 1, 0, 2, 1, 4])
  assert.match(obj, /^mtllib my_post\.mtl$/m)
})
