import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import type { Cluster, Plugin } from '@meadow/contract'
import { KINDS } from '../../testing/kinds.ts'
import { describeVersions, listAuthorFacts, listPluginUses } from './describe-file.ts'

test('[WEB-92] given the versions in a file, when they are described, then Rhino is named as far as it is known', () => {
  const describe = (versions: { grasshopper?: string; rhino?: string }) => describeVersions({ versions })
  assert.equal(describe({ grasshopper: '1.0.8' }), 'Rhino 8, Grasshopper 1.0.8')
  assert.equal(describe({ grasshopper: '1.0.7' }), 'Rhino 6 or 7, Grasshopper 1.0.7')
  assert.equal(describe({ grasshopper: '0.9.76' }), 'Rhino 5, Grasshopper 0.9.76')
  assert.equal(describe({ grasshopper: '0.8.9' }), 'Rhino 4 or 5, Grasshopper 0.8.9')
  assert.equal(describe({ grasshopper: '2.0.1' }), 'Grasshopper 2.0.1')
  assert.equal(
    describe({ rhino: '8.10.24198.10001', grasshopper: '1.0.8' }),
    'Rhino 8 (8.10.24198.10001), Grasshopper 1.0.8',
  )
  assert.equal(describeVersions({}), undefined)
})

test('[WEB-92] given an author who typed in some texts, when they are listed, then empty ones are left out', () => {
  const author = { name: 'A. Smithson', company: '', email: 'a@example.org', copyright: '', website: '' }
  assert.deepEqual(listAuthorFacts({ author }), [
    ['Author', 'A. Smithson'],
    ['E-mail', 'a@example.org'],
  ])
  assert.deepEqual(listAuthorFacts({}), [])
})

const create = (instanceId: string, state: Node['state']): Node => ({
  ...createNode(KINDS.addition, { position: { x: 0, y: 0 }, nickName: instanceId }),
  instanceId,
  ...(state && { state }),
})
const byId = (...nodes: Node[]) => Object.fromEntries(nodes.map((node) => [node.instanceId, node]))
const robot = (id: string) => create(id, { kind: 'plugin', libraryId: 'robots', library: 'Robots' })
const plugin = (id: string): Plugin => ({ id, name: id, version: '1', author: '', nodeCount: 0 })

test('[WEB-92, WEB-249] given plug-ins, when their nodes are listed, then those in clusters are too, with the way there', () => {
  const inner: Cluster = { ports: {}, groups: [], nodes: byId(robot('deep')) }
  const clusters: Record<string, Cluster> = {
    Cell: {
      ports: {},
      groups: [],
      nodes: byId(robot('in'), create('Tool', { kind: 'cluster', isProtected: false })),
      clusters: { Tool: inner },
    },
    Locked: { reason: 'protected', message: 'It is behind a password.' },
    Gone: inner,
  }
  const document = {
    nodes: byId(
      robot('one'),
      robot('two'),
      create('list', { kind: 'valueList', mode: 'dropDown', items: [], plugin: { libraryId: 'lists' } }),
      create('Cell', { kind: 'cluster', isProtected: false }),
      create('Locked', { kind: 'cluster', isProtected: true }),
      create('Plain', undefined),
    ),
  }
  const unsolved = ['one', 'Cell'].map((nodeInstanceId) => ({
    nodeInstanceId,
    name: 'Robot',
    kind: 'plugin' as const,
    reason: 'It belongs to a plug-in',
    library: { name: 'robots' },
  }))
  const uses = listPluginUses(
    [plugin('unused'), plugin('lists'), plugin('robots')],
    document,
    clusters,
    unsolved,
  )
  assert.deepEqual(
    uses.map(({ id, count, unsolved, locations }) => [id, count, unsolved, locations]),
    [
      [
        'robots',
        4,
        2,
        [
          { clusterIds: [], clusters: [], nodeIds: ['one', 'two'] },
          { clusterIds: ['Cell'], clusters: ['Cell'], nodeIds: ['in'] },
          { clusterIds: ['Cell', 'Tool'], clusters: ['Cell', 'Tool'], nodeIds: ['deep'] },
        ],
      ],
      ['lists', 1, 0, [{ clusterIds: [], clusters: [], nodeIds: ['list'] }]],
      ['unused', 0, 0, []],
    ],
  )
})
