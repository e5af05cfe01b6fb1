import type { DataTree, GraphContent, Group, Node, Port, PortReference } from '@meadow/contract'
import fc from 'fast-check'

const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>

/** Few ids, so that they collide; some are names of inherited members. */
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__', 'constructor', '')
const number = fc.oneof(
  fc.integer({ min: -2, max: 4 }),
  fc.constantFrom(Number.NaN, 0.5, Number.POSITIVE_INFINITY),
)
const recordOf = <T>(value: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(id, value), { maxLength: 4 })
    .map((entries): Record<string, T> => Object.fromEntries(entries))
const reference: fc.Arbitrary<PortReference> = record({ nodeInstanceId: id, portInstanceId: id })

const tree: fc.Arbitrary<DataTree> = record({
  branches: fc.array(
    record({
      path: fc.constantFrom('{0}', '{0;1}', '{ 0 }', '{10}', '{2}', 'none'),
      values: fc.array(fc.constantFrom(null, { type: 'integer' as const, value: 1 }), { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
})

const port: fc.Arbitrary<Port> = record({
  name: fc.string(),
  nickName: fc.string(),
  typeName: fc.constantFrom('Number', 'Curve'),
  access: fc.constantFrom('item', 'list', 'tree'),
  flags: fc.constantFrom([], ['graft']),
})

const node: fc.Arbitrary<Node> = record({
  instanceId: id,
  templateId: fc.uuid(),
  name: fc.string(),
  nickName: fc.string(),
  position: record({ x: number, y: number }),
  status: record({ isEnabled: fc.boolean(), isPreviewed: fc.boolean() }),
  inputs: recordOf(number),
  outputs: recordOf(number),
  sources: recordOf(fc.array(reference, { maxLength: 4 })),
  values: recordOf(tree),
  ports: recordOf(port),
})

const group: fc.Arbitrary<Group> = record({
  id,
  label: fc.string(),
  colour: fc.constantFrom('#aa87ff96', 'red'),
  nodeInstanceIds: fc.array(id, { maxLength: 4 }),
  groupIds: fc.array(id, { maxLength: 4 }),
})

/** Graphs as concurrent edits may leave them: well typed, but with any rule broken. */
export const arbitraryGraph: fc.Arbitrary<GraphContent> = record({
  nodes: recordOf(node),
  groups: fc.array(group, { maxLength: 5 }),
  configuration: record({
    inputs: fc.array(reference, { maxLength: 3 }),
    outputs: fc.array(reference, { maxLength: 3 }),
  }),
})
