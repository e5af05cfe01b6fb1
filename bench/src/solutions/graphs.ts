import type { GraphContent } from '@meadow/contract'
import { createGraph } from '@meadow/server/src/testing/graph/create-graph.ts'
import { domain, flatten, formula, graft } from '@meadow/server/src/testing/graph/feed.ts'

/**
 * Creates a chain of nodes, each of which takes all values of the one before: sums, products, reversed and remapped
 * lists.
 */
export const longLists = (nodes: number, values: number): GraphContent =>
  createGraph('Long lists', ({ group, add }) => {
    group('All', 'inputs')
    let last = add('Series', { Count: values }, 'Numbers')
    for (let i = 1; i < nodes; i++) {
      const name = `Step ${i}`
      switch (i % 4) {
        case 1:
          last = add('Maths/Addition', [last, 1], name)
          break
        case 2:
          last = add('Multiplication', [last, 0.999], name)
          break
        case 3:
          last = add('Reverse List', [last], name)
          break
        default:
          last = add('Remap Numbers', [last, domain(0, 1000), domain(0, 1)], name)
      }
    }
  })

/** Creates objects of most classes: points, lines, circles, curves, boxes, tubes, and meshes of 3,721 vertices. */
export const manyObjects = (): GraphContent =>
  createGraph('Many objects', ({ group, add }) => {
    group('All', 'geometry')
    const feet = add(
      'Construct Point',
      [graft(add('Series', { Count: 80 }, 'East')), add('Series', { Count: 80 }, 'North')],
      'Feet',
    )
    add('Line SDL', [feet, add('Unit Z', [], 'Up'), 3], 'Posts')
    add('Circle CNR', { Center: feet, Radius: 0.4 }, 'Rings')
    add('Interpolate', { Vertices: feet }, 'Rows')
    const points = add('Construct Point', [add('Series', { Count: 300 }, 'Along'), -10], 'Places')
    add('Box 2Pt', [points, add('Construct Point', [0, 0, 5], 'Corner')], 'Boxes')
    add('Pipe', { Curve: add('Line SDL', [points, add('Unit Z', [], 'High'), 3], 'Cores') }, 'Tubes')
    const stations = add('Series', { Count: 61 }, 'Stations')
    const net = add('Construct Point', [graft(stations), stations, 100], 'Net')
    const starts = add('Series', { Step: 61, Count: 60 }, 'First of each row')
    const corner = add(
      'Maths/Addition',
      [graft(starts), add('Series', { Count: 60 }, 'In the row')],
      'Corner',
    )
    const faces = add(
      'Mesh Quad',
      [corner, formula('x+1', corner), formula('x+62', corner), formula('x+61', corner)],
      'Faces',
    )
    const sheet = add('Construct Mesh', { Vertices: flatten(net), Faces: flatten(faces) }, 'Sheet')
    add('Move', [sheet, add('Unit X', [add('Series', { Step: 70, Count: 60 }, 'Apart')], 'Far')], 'Sheets')
  })
