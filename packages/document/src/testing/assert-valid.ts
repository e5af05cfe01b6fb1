import assert from 'node:assert/strict'
import type { GraphContent, Group } from '@meadow/contract'
import { comparePaths, findPath, formatPath, type Path } from '../graph/path.ts'

/** The rules DOC-10 to DOC-18 again, independently of the repair. */
export function assertValid({ nodes, groups, configuration }: GraphContent): void {
  assertPlainRecord(nodes)
  const ports = Object.entries(nodes).flatMap(([id, node]) =>
    [...new Set([...Object.keys(node.inputs), ...Object.keys(node.outputs)])].map((portId) => ({
      id,
      portId,
    })),
  )
  const others = ports.filter(({ id, portId }) => id !== portId).map(({ portId }) => portId)
  assertDistinct([...Object.keys(nodes), ...others], 'ids of nodes and ports')
  const has = (side: 'inputs' | 'outputs', id: string, portId: string) =>
    Object.hasOwn(nodes, id) && Object.hasOwn(nodes[id]?.[side] ?? {}, portId)

  for (const [id, node] of Object.entries(nodes)) {
    assert.equal(node.instanceId, id)
    assert.ok(Number.isFinite(node.position.x) && Number.isFinite(node.position.y))
    for (const record of [node.inputs, node.outputs, node.sources, node.values, node.ports])
      assertPlainRecord(record)
    for (const side of [node.inputs, node.outputs]) {
      const orders = Object.values(side).sort((a, b) => a - b)
      assert.deepEqual(orders, [...orders.keys()], 'orders without gaps')
    }
    for (const portId of Object.keys(node.inputs)) {
      assert.ok(portId === id || !Object.hasOwn(node.outputs, portId), 'a port on one side')
    }
    const own = ports.filter((port) => port.id === id).map(({ portId }) => portId)
    assert.deepEqual(Object.keys(node.ports).sort(), own.sort(), 'properties for each port')
    for (const [portId, wires] of Object.entries(node.sources)) {
      assert.ok(has('inputs', id, portId) && wires.length > 0)
      for (const wire of wires) assert.ok(has('outputs', wire.nodeInstanceId, wire.portInstanceId))
      assertDistinct(
        wires.map((wire) => wire.portInstanceId),
        'wires',
      )
    }
    for (const [portId, tree] of Object.entries(node.values)) {
      assert.ok(own.includes(portId))
      const paths = tree.branches.map(({ path }) => findPath(path) as Path)
      assert.deepEqual(
        paths.map(formatPath),
        tree.branches.map(({ path }) => path),
      )
      assert.deepEqual(paths, [...paths].sort(comparePaths))
      assertDistinct(paths.map(formatPath), 'paths')
    }
  }
  assertDistinct([...Object.keys(nodes), ...groups.map(({ id }) => id)], 'ids of nodes and groups')
  for (const group of groups) assertGroup(group, groups, nodes)
  for (const pins of [configuration.inputs, configuration.outputs]) {
    for (const pin of pins) {
      assert.ok(
        ['inputs', 'outputs'].some((side) => has(side as 'inputs', pin.nodeInstanceId, pin.portInstanceId)),
      )
    }
    assertDistinct(
      pins.map(({ portInstanceId }) => portInstanceId),
      'pins',
    )
  }
}

function assertGroup(group: Group, groups: Group[], nodes: GraphContent['nodes']): void {
  assert.match(group.colour, /^#[0-9a-f]{8}$/)
  assertDistinct([...group.nodeInstanceIds, ...group.groupIds], 'members')
  assert.ok(group.nodeInstanceIds.every((id) => Object.hasOwn(nodes, id)))
  assert.ok(group.groupIds.every((id) => groups.some((other) => other.id === id)))
  const inside = new Set(group.groupIds)
  for (const id of inside)
    for (const deeper of groups.find((other) => other.id === id)?.groupIds ?? []) inside.add(deeper)
  assert.ok(!inside.has(group.id), 'a group inside itself')
}

function assertPlainRecord(record: object): void {
  assert.equal(Object.getPrototypeOf(record), null)
}

function assertDistinct(ids: string[], what: string): void {
  assert.equal(new Set(ids).size, ids.length, `${what} are distinct`)
}
