import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BimDocument, Document, Solution } from '@meadow/contract'
import { Box3, type Mesh, type MeshStandardMaterial, type Object3D, Vector3 } from 'three'
import { readDemoDefinition } from '../../../../apps/server/src/features/demo/demo-definitions.ts'
import { startSolutions } from '../../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import { createGraph } from '../../../../apps/server/src/testing/graph/create-graph.ts'
import { loadGlb, validate } from '../testing/files.ts'
import { solutionOf, solveGraph } from '../testing/solve-graph.ts'
import { toGlb } from './to-glb.ts'

/** The names below an object, to a depth. */
const listNames = ({ children }: Object3D): string[] => children.map(({ userData }) => userData.name)

const near = (actual: number, expected: number, tolerance = 1e-5) =>
  assert.ok(Math.abs(actual - expected) < tolerance, `${actual} is not ${expected}`)

const drawOne = (draw: Parameters<typeof createGraph>[1]) => solveGraph(createGraph('One', draw))

test('[GLB-1, GLB-2, GLB-3, GLB-4, GLB-5, GLB-12] given the tower of the demo on a server, when it is written, then it is a valid model in metres, the same from both forms', async (t) => {
  const { document: create, solve, get, database, team } = await startSolutions(t)
  await database.transaction((write) =>
    write.updateTable('team').set({ units: 'feet' }).where('id', '=', team.key).execute(),
  )
  const id = await create(readDemoDefinition('twisted-tower'), 'Tower')
  await solve(id)
  const { document }: { document: Document } = (await get(`/documents/${id}`)).json
  const bim: BimDocument = (await get(`/documents/${id}/solution?format=bimz`)).json
  const solution: Solution = (await get(`/documents/${id}/solution?includeGeometry=true`)).json

  const { bytes, counts, skipped } = toGlb(bim, { document })
  assert.deepEqual(await validate(bytes), [])
  assert.deepEqual(skipped, [])
  assert.ok(counts.triangles > 50_000, `${counts.triangles} triangles`)
  assert.deepEqual(toGlb(bim, { document }).bytes, bytes)

  const scene = await loadGlb(bytes)
  const root = scene.children[0]!
  assert.deepEqual(root.userData, {
    name: 'Tower',
    documentId: id,
    solutionId: bim.solutionId,
    units: 'feet',
  })
  assert.deepEqual(listNames(root), ['Slabs', 'Skin', 'Tubes'])
  const slab = root.children[0]!.children[0] as Mesh
  const { nodeInstanceId, portInstanceId, path, index, id: platformId } = slab.userData
  assert.deepEqual(document.nodes[nodeInstanceId]?.nickName, 'Slabs')
  assert.equal(bim.objects[platformId]?.portInstanceId, portInstanceId)
  assert.equal(solution.data[nodeInstanceId]?.[portInstanceId]?.branches[0]?.path, path)
  assert.deepEqual([index, slab.userData.name], [0, `Extrusion ${path}[0]`])

  // 42 storeys of 3.8 feet, and a slab of 0.3 feet below the lowest.
  const { min, max } = new Box3().setFromObject(scene)
  near(max.y, 42 * 3.8 * 0.3048, 0.01)
  near(min.y, -0.3 * 0.3048)

  const glass = (root.children[1]!.children[0] as Mesh).material as MeshStandardMaterial
  assert.deepEqual([glass.name, glass.opacity, glass.transparent], ['#8fc1d966', 0.4, true])
  assert.equal(glass.color.getHexString(), '8fc1d9')

  const same = toGlb(solution, { document, units: 'feet' })
  assert.deepEqual(same.counts, counts)
  const other = await loadGlb(same.bytes)
  assert.deepEqual(listNames(other.children[0]!), listNames(root))
})

test('[GLB-1, GLB-9] given a solution without geometry, when it is written, then the file is valid and says what is missing', async () => {
  const { solution } = drawOne(({ group, add }) => {
    group('All', 'geometry')
    add('Sphere', { Radius: 2 }, 'Ball')
    add('Circle', { Radius: 2 }, 'Ring')
  })
  for (const [nodeId, ports] of Object.entries(solution.data)) {
    if (nodeId === 'solutionId') continue
    for (const { branches } of Object.values(ports))
      for (const { values } of branches) for (const value of values) delete value?.geometry
  }
  const { bytes, counts, skipped } = toGlb(solution)
  assert.deepEqual(await validate(bytes), [])
  // A circle has a short form.
  assert.deepEqual([counts.values, counts.lines], [1, 1])
  assert.deepEqual(
    skipped.map(({ type, reason, path, index }) => [type, reason, path, index]),
    [['surface', 'geometry_missing', '{0}', 0]],
  )
  const nothing = toGlb({ ...solution, data: { solutionId: solution.data.solutionId } as Solution['data'] })
  assert.deepEqual(await validate(nothing.bytes), [])
  assert.equal((await loadGlb(nothing.bytes)).children.length, 0)
})

test('[GLB-2] given a model that is far away, when it is written, then its vertices are exact and its root is where it is', async () => {
  const { solution } = drawOne(({ group, add }) => {
    group('All', 'geometry')
    const from = add('Construct Point', [5_000_000, 2_000_000, 100])
    add('Line SDL', [from, add('Unit Z', [], 'Up'), 0.25], 'Line')
  })
  const scene = await loadGlb(toGlb(solution, { units: 'meters', points: false }).bytes)
  scene.updateMatrixWorld(true)
  const line = scene.children[0]!.children[0]!.children[0] as Mesh
  const { array } = line.geometry.attributes.position!
  assert.equal(array[4]! - array[1]!, 0.25)
  const [x, y, z] = new Vector3().fromArray(array).applyMatrix4(line.matrixWorld)
  assert.deepEqual([x, y, z], [5_000_000, 100, -2_000_000])
})

test('[GLB-8] given many points and boxes, when they are written, then each port is one object whose vertices name their value', async () => {
  const { solution } = drawOne(({ group, add }) => {
    group('All', 'geometry')
    const feet = add('Construct Point', [add('Series', [0, 3, 12], 'Steps')], 'Feet')
    add('Center Box', [add('XY Plane', [feet], 'Planes'), 1, 1, 1], 'Boxes')
  })
  const write = (mergeAbove: number) => toGlb(solution, { mergeAbove })
  const { bytes, counts } = write(11)
  assert.deepEqual(await validate(bytes), [])
  assert.deepEqual([counts.values, counts.points], [24, 12])

  const [points, boxes] = (await loadGlb(bytes)).children[0]!.children.map(({ children }) => children)
  assert.deepEqual([points!.length, boxes!.length], [1, 1])
  const { geometry, userData } = boxes![0] as Mesh
  assert.deepEqual(userData.values[7], { path: '{0;0}', index: 7 })
  const features = geometry.attributes._feature_id_0!
  const { position } = geometry.attributes
  for (let vertex = 0; vertex < features.count; vertex++) {
    near(Math.abs(position!.getX(vertex) - 3 * features.getX(vertex)), 1)
  }
  const cloud = points![0] as Mesh
  assert.deepEqual([cloud.type, cloud.geometry.attributes.position!.getX(11)], ['Points', 33])

  const alone = (await loadGlb(write(12).bytes)).children[0]!.children[1]!
  assert.deepEqual([alone.children.length, alone.children[7]!.userData.index], [12, 7])
})

test('[GLB-5] given a mesh whose vertices have colours, when it is written, then they have them in the file', async () => {
  const corner = (x: number, y: number) => ({ x, y, z: 0 })
  const paint = (red: number, green: number, blue: number, alpha = 255) =>
    ({ type: 'colour', red, green, blue, alpha }) as const
  const solution = solutionOf({
    a: [
      {
        type: 'mesh',
        vertices: [corner(0, 0), corner(1, 0), corner(0, 1)],
        faces: [{ type: 'meshFace', a: 0, b: 1, c: 2, d: 2 }],
        colours: [paint(255, 0, 0), paint(188, 188, 188), paint(0, 0, 0)],
      },
    ],
  })
  const { bytes } = toGlb(solution)
  assert.deepEqual(await validate(bytes), [])
  const { color } = ((await loadGlb(bytes)).children[0]!.children[0]!.children[0] as Mesh).geometry.attributes
  near(color!.getX(0), 1)
  near(color!.getY(0), 0)
  // The grey that is half as bright as white.
  near(color!.getX(1), 0.5, 0.01)
})
