import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import type { Cluster } from '@meadow/contract'
import { KINDS } from '../testing/kinds.ts'
import { findItemScript, openItem } from './open-item.ts'

const node = (instanceId: string, state?: Node['state']): Node => ({
  ...createNode(KINDS.addition, { position: { x: 0, y: 0 }, nickName: instanceId }),
  instanceId,
  ...(state && { state }),
})
const graphOf = (...nodes: Node[]) => ({
  nodes: Object.fromEntries(nodes.map((one) => [one.instanceId, one])),
  groups: [],
  configuration: { inputs: [], outputs: [] },
})
const cluster = (id: string) => node(id, { kind: 'cluster', isProtected: false })
const group = { id: 'g', name: 'Group', colour: '#000000', members: [] } as never

test('[WEB-95] given a library item of a cluster, when it is opened, then its graph and groups are shown, and the clusters in it are below the file', () => {
  const panel: Cluster = { ports: {}, nodes: { py: node('py') }, groups: [] }
  const facade: Cluster = {
    ports: {},
    nodes: { Panel: cluster('Panel') },
    groups: [group],
    clusters: { Panel: panel },
  }
  const contents = { graph: graphOf(cluster('Facade')), clusters: { Facade: facade } }
  const top = openItem('Facade.ghcluster', contents, [])
  assert.deepEqual(top.crumbs, [{ clusterIds: [], label: 'Facade.ghcluster' }])
  assert.deepEqual([Object.keys(top.content!.nodes), top.content!.groups], [['Panel'], [group]])
  const inner = openItem('Facade.ghcluster', contents, ['Panel'])
  assert.deepEqual(inner.crumbs, [
    { clusterIds: [], label: 'Facade.ghcluster' },
    { clusterIds: ['Panel'], label: 'Panel' },
  ])
  assert.deepEqual(Object.keys(inner.content!.nodes), ['py'])
  assert.match(openItem('Facade.ghcluster', contents, ['nothing']).reason!, /no such cluster/)
  const locked: Cluster = { reason: 'protected', message: 'It is behind a password.' }
  const closed = openItem('a', { ...contents, clusters: { Facade: locked } }, [])
  assert.deepEqual([closed.content, closed.reason], [undefined, 'It is behind a password.'])
})

test('[WEB-95] given a user object, when it is opened, then its script or the object alone is shown', () => {
  const state = { kind: 'script', language: 'python3', source: 'print(1)' }
  const script = { graph: graphOf(node('py', state)), clusters: {} }
  assert.deepEqual(findItemScript(script), state)
  const plain = { graph: graphOf(node('times')), clusters: {} }
  assert.equal(findItemScript(plain), undefined)
  assert.deepEqual(openItem('Times.ghuser', plain, []).content, plain.graph)
})
