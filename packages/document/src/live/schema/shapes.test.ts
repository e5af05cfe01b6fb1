import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DataTree, DataValue, Node } from '@meadow/contract'
import fc from 'fast-check'
import { fitsSchema } from '../testing/assert-schema.ts'
import { createTestContent } from '../testing/test-content.ts'
import { isDataTree } from './data-tree-shape.ts'
import { isNode } from './graph-shapes.ts'

const xyz = [0, 1.5, 'NaN']
const plane = { origin: xyz, xAxis: xyz, yAxis: xyz }
const domain = { start: 0, end: 'Infinity' }
const summary = { description: 'Brep', boundingBox: [xyz, xyz] }

/** One good value of each type. */
const VALUES: Record<string, unknown> = {
  boolean: true,
  integer: 3,
  number: 3.5,
  string: 'x',
  colour: '#01abcdef',
  domain,
  vector: xyz,
  plane,
  point: xyz,
  line: { from: xyz, to: xyz },
  polyline: [xyz, xyz],
  circle: { plane, radius: 1 },
  arc: { plane, radius: 1, startAngle: 0, endAngle: 1 },
  rectangle: { plane, x: domain, y: domain },
  box: { plane, x: domain, y: domain, z: domain },
  curve: summary,
  surface: { description: '', boundingBox: null },
  brep: summary,
  mesh: summary,
  path: '{0;1}',
  unknown: { description: 'x' },
}
const GEOMETRY = { version: 10_000, archive3dm: 70, opennurbs: 1, data: 'AAEC' }

const isValue = (value: unknown) =>
  isDataTree({ branches: [{ path: '{0}', values: [value] }] } as unknown as DataTree)

test('[LD-10, D22, D23] given values of each type, with and without geometry, when checked, then every valid value is valid in the contract', () => {
  const [types, values] = [Object.keys(VALUES), Object.values(VALUES)]
  const extras = [
    {},
    { geometry: GEOMETRY },
    { referenceId: 'e64c5fb1-845c-4ab1-8911-5f338516ba67' },
    { geometry: {} },
  ]
  for (const type of [...types, 'toString', 'sphere']) {
    for (const value of [...values, null, [], {}, [1, 2], '#12345', 1e300]) {
      for (const extra of extras) {
        const made = { type, value, ...extra }
        if (isValue(made)) assert.ok(fitsSchema(DataValue, made), JSON.stringify(made))
      }
    }
  }
  for (const type of types) {
    for (const extra of extras.slice(0, 3)) assert.ok(isValue({ type, value: VALUES[type], ...extra }), type)
    assert.ok(!isValue({ type, value: VALUES[type], geometry: {} }), type)
  }
})

/** The paths of all parts of a value, so that each can be replaced. */
function* listPaths(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) yield* listPaths(item, [...path, key])
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  const replaced = replaceAt(copy[key], rest, by)
  if (replaced === undefined) delete copy[key]
  else copy[key] = replaced
  return copy
}

test('[LD-10] given nodes with any part replaced or missing, when valid as nodes here, then also in the contract', () => {
  const nodes = Object.values(createTestContent().nodes)
  for (const node of nodes) assert.ok(isNode(JSON.parse(JSON.stringify(node))))
  fc.assert(
    fc.property(
      fc
        .constantFrom(...nodes)
        .chain((node) => fc.tuple(fc.constant(node), fc.constantFrom(...listPaths(node)))),
      fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, Number.NaN, '', 'item', {}, [], 1.5)),
      ([node, path], by) => {
        const changed: unknown = JSON.parse(JSON.stringify(replaceAt(node, path, by) ?? null))
        if (isNode(changed)) assert.ok(fitsSchema(Node, changed), JSON.stringify(changed))
      },
    ),
    { numRuns: 3_000 },
  )
})
