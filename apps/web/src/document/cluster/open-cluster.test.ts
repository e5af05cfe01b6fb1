import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import type { Cluster, GraphContent } from '@meadow/contract'
import { KINDS } from '../../testing/kinds.ts'
import { openCluster, toInnerSolution } from './open-cluster.ts'

const graph = (...nodes: Node[]): GraphContent => ({
  nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
  groups: [],
  configuration: { inputs: [], outputs: [] },
})
const create = (instanceId: string, state?: Node['state']): Node => ({
  ...createNode(KINDS.addition, { position: { x: 0, y: 0 }, nickName: instanceId }),
  instanceId,
  ...(state && { state }),
})
const cluster = (id: string) => create(id, { kind: 'cluster', isProtected: false })

const innermost = graph(create('Sum'))
const inner = graph(cluster('Inner'), cluster('Locked'))
const document = { name: 'Facade', content: graph(cluster('Outer'), cluster('Pasted'), create('Plain')) }
const toCluster = (content: GraphContent, clusters: Record<string, Cluster> = {}): Cluster => {
  const { nodes, groups } = content
  return { ports: {}, nodes, groups, clusters }
}
const clusters = {
  Outer: toCluster(inner, {
    Inner: toCluster(innermost),
    Locked: { reason: 'protected' as const, message: 'It is behind a password.' },
  }),
}
const open = (...ids: string[]) => openCluster(document, clusters, ids)

test('[WEB-91] given nested clusters, when the inner one is opened, then its graph is shown and the way to it is listed', () => {
  const { crumbs, content, reason } = open('Outer', 'Inner')
  assert.deepEqual(content, innermost)
  assert.equal(reason, undefined)
  assert.deepEqual(crumbs, [
    { clusterIds: [], label: 'Facade' },
    { clusterIds: ['Outer'], label: 'Outer' },
    { clusterIds: ['Outer', 'Inner'], label: 'Inner' },
  ])
})

test('[WEB-91] given a cluster whose content is not known, when it is opened, then a sentence says why', () => {
  const locked = open('Outer', 'Locked')
  assert.equal(locked.content, undefined)
  assert.equal(locked.reason, 'It is behind a password.')
  assert.equal(locked.crumbs.length, 3)
  assert.match(open('Pasted').reason!, /import the file again/)
})

test('[WEB-91] given a visitor, who gets no contents of clusters, when one is opened, then a sentence says so', () => {
  const { crumbs, reason } = openCluster({ ...document, isVisitor: true }, {}, ['Outer', 'Inner'])
  assert.equal(crumbs.at(-1)!.label, 'Outer')
  assert.match(reason!, /members of the team only/)
})

test('[WEB-91] given an address of no cluster, when it is opened, then a sentence says so', () => {
  for (const ids of [['Gone'], ['Plain'], ['Outer', 'Gone'], ['constructor'], ['Outer', '__proto__']])
    assert.match(open(...ids).reason!, /no such cluster/)
})

test('[WEB-91] given nodes inside clusters that cannot be solved, when a cluster is opened, then they and the clusters around them say so', () => {
  const reason = 'Scripts are not run'
  const unsolvable = [
    { nodeInstanceId: 'Outer', inside: ['Inner', 'Script'], name: 'Python', kind: 'script' as const, reason },
    { nodeInstanceId: 'Outer', inside: ['Robot'], name: 'Robot', kind: 'plugin' as const, reason: 'Robots' },
    { nodeInstanceId: 'Plain', name: 'Plain', kind: 'component' as const, reason: 'Not there' },
  ]
  const messages = (...ids: string[]) =>
    toInnerSolution(unsolvable, ids).messages.map(({ nodeInstanceId, message }) => [nodeInstanceId, message])
  assert.deepEqual(messages('Outer'), [
    ['Inner', `Inside: Python: ${reason}`],
    ['Robot', 'Robots'],
  ])
  assert.deepEqual(messages('Outer', 'Inner'), [['Script', reason]])
  assert.deepEqual(messages('Other'), [])
  assert.deepEqual(toInnerSolution(unsolvable, ['Outer']).nodes, {
    Robot: { state: 'unsupported', ports: {} },
  })
})
