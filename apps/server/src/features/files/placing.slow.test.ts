import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNodes, connect, createNode, pasteNodes, setPanelText } from '@meadow/client/live'
import type { Cluster, Node } from '@meadow/contract'
import { readClusters } from '@meadow/grasshopper'
import { changeTeam } from '../../team/team-transaction.ts'
import { addCredits } from '../../team/teams.ts'
import { createClusterItem } from '../../testing/clustered-file.ts'
import { until } from '../../testing/until.ts'
import { startLiveServer } from '../live/testing/start-live-server.ts'

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'

test('[APP-13, LIB-12, LIB-13] given a user object of a cluster, when it is placed in a document by a live edit and the item is deleted, then the cluster is solved, its content can be read, copies and exports have it, and visitors of the document do not', async (t) => {
  const { fixtures, team, database, person, open, address, get } = await startLiveServer(t, {
    env: { MEADOW_SOLVE_WORKERS: '1' },
  })
  await changeTeam(database, team.key, (change) => addCredits(change, 100))
  const { cookie } = await person('ann')
  const id = await fixtures.document(team, { visibility: 'public' })
  const folder = await fixtures.folder(team, 'Library')
  const call = async (method: string, path: string, body?: object | Uint8Array) => {
    const isBytes = body instanceof Uint8Array
    const response = await fetch(`${address}/app/v1${path}`, {
      method,
      headers: {
        cookie,
        ...(body && { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const upload = `/folders/${folder.id}/uploads?fileName=Times.ghuser`
  const { fileId } = (await call('POST', upload, createClusterItem('Times', 7))).upload
  const { node }: { node: Node } = await call('POST', `/documents/${id}/placements`, { fileId })
  assert.deepEqual(Object.keys(node.state!.object as object), ['$blob', 'bytes'])
  await call('DELETE', `/files/${fileId}`)

  const live = await open(id, cookie)
  const { ids } = live.edit((doc) => pasteNodes(doc, { nodes: [node] }, { x: 10, y: 20 }))
  const [placed, input, output] = [node.instanceId, ...Object.keys(node.ports)].map((old) => ids.get(old)!)
  const panel = createNode(PANEL, { position: { x: 0, y: 0 } })
  live.edit((doc) => {
    addNodes(doc, [panel])
    setPanelText(doc, panel.instanceId, '3')
    connect(doc, {
      from: { nodeInstanceId: panel.instanceId, portInstanceId: panel.instanceId },
      to: { nodeInstanceId: placed!, portInstanceId: input! },
    })
  })
  await live.durable()
  const readValue = async (document: string, port: string) => {
    const { data } = (await get(`/documents/${document}/solution`)).json
    return data?.[placed!]?.[port]?.branches[0]?.values[0]?.value
  }
  await until('it is solved', async () => (await readValue(id, output!))?.[0] === 21)
  const { clusters }: { clusters: Record<string, Cluster> } = await call(
    'GET',
    `/documents/${id}/placed-clusters`,
  )
  const inside = clusters[placed!]!
  assert.ok('nodes' in inside)
  assert.deepEqual(Object.keys(inside.ports), [input, output])

  const graphOf = async (init?: RequestInit): Promise<Record<string, Node>> => {
    const response = await fetch(`${address}/app/v1/documents/${id}/graph`, init)
    return JSON.parse(await response.text()).graph.nodes
  }
  const [shown, asVisitor] = [await graphOf({ headers: { cookie } }), await graphOf()]
  const { state } = shown[placed!]!
  assert.match(String(state!.object), /^[A-Za-z0-9+/]{1000,}=*$/)
  assert.deepEqual(asVisitor[placed!]!.state, { ...state, object: '' })

  const copy = (await call('POST', `/documents/${id}/duplicate`, {})).document.id
  assert.deepEqual(await call('GET', `/documents/${copy}/placed-clusters`), { clusters })
  const { export: exported } = await call('POST', `/documents/${id}/exports`, { format: '.gh' })
  const file = new Uint8Array(await (await fetch(exported.url)).arrayBuffer())
  const written = readClusters(file).get(placed!)
  assert.ok(written && 'content' in written)
  assert.deepEqual(Object.keys(written.content.nodes), Object.keys(inside.nodes))
})
