import type { DataValue } from '@meadow/client'
import type { TableDocument, TableSource } from '../index.ts'

const plane = { origin: [1, 2, 3], xAxis: [1, 0, 0], yAxis: [0, 1, 0] } as const
const domain = { start: 0, end: 4 }
const boundingBox = [
  [-1, -2, -3],
  [1, 2, 3],
] as const

/** One value of each type, and a null. */
export const EACH_TYPE = [
  { type: 'boolean', value: true },
  { type: 'integer', value: -7 },
  { type: 'number', value: 0.1 },
  { type: 'number', value: 'NaN' },
  { type: 'number', value: '-Infinity' },
  null,
  { type: 'string', value: 'Höhe: 3 m' },
  { type: 'string', value: '' },
  { type: 'colour', value: '#d8d2c8ff' },
  { type: 'path', value: '{0;1}' },
  { type: 'domain', value: domain },
  { type: 'vector', value: [0, 0, 'Infinity'] },
  { type: 'point', value: [1.5, -2, 3] },
  { type: 'plane', value: plane },
  { type: 'line', value: { from: [0, 5, 0], to: [1, -1, 2] } },
  {
    type: 'polyline',
    value: [
      [0, 0, 0],
      [4, 1, 0],
      [2, -3, 9],
    ],
  },
  { type: 'circle', value: { plane, radius: 2 } },
  { type: 'arc', value: { plane, radius: 2, startAngle: 0, endAngle: 1 } },
  { type: 'rectangle', value: { plane, x: domain, y: domain } },
  { type: 'box', value: { plane, x: domain, y: domain, z: domain } },
  { type: 'curve', value: { description: 'Polycurve of 8 segments', boundingBox } },
  { type: 'surface', value: { description: 'Surface', boundingBox: null } },
  { type: 'brep', value: { description: 'Brep of 6 faces', boundingBox } },
  { type: 'mesh', value: { description: 'Mesh of 3 faces', boundingBox } },
  { type: 'unknown', value: { description: 'Transform', kind: 'guid', properties: { id: 'x' } } },
] as unknown as (DataValue | null)[]

export const SOLVED_AT = '2026-11-20T09:30:00.123Z'

export const DOCUMENT: TableDocument = {
  id: 'doc_1',
  name: 'Tower, "north"',
  nodes: {
    n1: { name: 'Number Slider', nickName: 'Height', ports: { n1: { name: '', nickName: 'Height' } } },
    n2: { name: 'Panel', nickName: '', ports: { p2: { name: 'Output', nickName: 'O' } } },
  },
}

/** A solution with these branches: by node, then port, then path. */
export function createSolution(nodes: Record<string, Record<string, Record<string, (DataValue | null)[]>>>) {
  const data = Object.entries(nodes).map(([nodeId, ports]) => {
    const trees = Object.entries(ports).map(([portId, branches]) => {
      const listed = Object.entries(branches).map(([path, values]) => ({ path, values }))
      return [portId, { branches: listed }]
    })
    return [nodeId, Object.fromEntries(trees)]
  })
  return { data: { solutionId: 'sol_1', ...Object.fromEntries(data) }, solvedAt: SOLVED_AT }
}

/** A solution whose only port has these values in its only branch. */
export function createSource(values: (DataValue | null)[]): TableSource {
  return { solution: createSolution({ n1: { n1: { '{0}': values } } }), document: DOCUMENT }
}
