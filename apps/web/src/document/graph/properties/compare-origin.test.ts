import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import type { Cluster } from '@meadow/contract'
import { KINDS } from '../../../testing/kinds.ts'
import { findItems, isSame } from './compare-origin.ts'

const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'
const PYTHON = '410755b1-224a-4c1e-a407-bf32fb45ea7e'

const node = (templateId: string, name: string, state: NonNullable<Node['state']>): Node => ({
  ...createNode(KINDS.addition, { position: { x: 0, y: 0 } }),
  ...{ instanceId: name, templateId, name, state },
})
const script = (source: string) => node(PYTHON, 'View', { kind: 'script', language: 'python2', source })
const wall = (path?: string) =>
  node(CLUSTER, 'Wall', { kind: 'cluster', isProtected: false, ...(path && { path }) })
const contentsOf = (placed: Node, clusters: Record<string, Cluster> = {}) => ({
  graph: { nodes: { [placed.instanceId]: placed }, groups: [], configuration: { inputs: [], outputs: [] } },
  clusters,
})
const nested = script('x')
const inside = (source: string): Cluster => ({
  ports: {},
  nodes: { a: { ...nested, state: { ...nested.state, source } } },
  groups: [],
})

test('[WEB-95] given the library items of a team, when a node is compared, then those are found that it has the name of, or is linked to', () => {
  const items = [
    { id: 'fil_1' as never, name: 'A.ghuser', origins: [`${PYTHON} View`] },
    { id: 'fil_2' as never, name: 'B.ghcluster', origins: [`${CLUSTER} Other`, 'file b.ghcluster'] },
  ]
  const find = (one: Node) => findItems(one, items).map(({ name, isLinked }) => [name, isLinked])
  assert.deepEqual(find(script('x')), [['A.ghuser', false]])
  assert.deepEqual(find(wall('C:\\lib\\B.ghcluster')), [['B.ghcluster', true]])
  assert.deepEqual(find(wall()), [])
})

test('[WEB-95] given a node and an item of its name, when their contents are compared, then scripts are the same by their texts, clusters by their graphs, and unknown contents are not', () => {
  assert.equal(isSame(script('x'), undefined, contentsOf(script('x'))), true)
  assert.equal(isSame(script('x'), undefined, contentsOf(script('y'))), false)
  assert.equal(isSame(script('x'), undefined, contentsOf(wall())), undefined)
  const item = contentsOf(wall(), { Wall: inside('x') })
  assert.equal(isSame(wall(), inside('x'), item), true)
  assert.equal(isSame(wall(), inside('y'), item), false)
  assert.equal(isSame(wall(), undefined, item), undefined)
  assert.equal(isSame(wall(), { reason: 'protected', message: '' }, item), undefined)
})
