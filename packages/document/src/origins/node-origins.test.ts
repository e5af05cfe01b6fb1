import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFileOrigins, listNodeOrigins } from './node-origins.ts'

const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'
const PYTHON = '410755b1-224a-4c1e-a407-bf32fb45ea7e'
const MULTIPLICATION = 'ce46b74e-00c9-43c4-805a-193b69ea4a11'

type Item = Parameters<typeof listFileOrigins>

const share = (item: Item, node: Parameters<typeof listNodeOrigins>[0]) =>
  listNodeOrigins(node).some((origin) => listFileOrigins(...item).includes(origin))
const userObject = (name: string, componentId: string): Item => [
  'a.ghuser',
  { kind: 'user_object', name, componentId },
]

test('[DOC-37] given nodes, when they are compared with library items, then those have an origin in common that have the class and a name that somebody gave them, or the name of a linked file', () => {
  const view = userObject('Find View', PYTHON)
  assert.ok(share(view, { templateId: PYTHON, name: 'Find View' }))
  assert.ok(share(view, { templateId: PYTHON.toUpperCase(), name: ' Find View ' }))
  assert.ok(!share(view, { templateId: PYTHON, name: 'Find Views' }))
  assert.ok(!share(view, { templateId: CLUSTER, name: 'Find View' }))

  const remote: Item = ['Remote.ghcluster', { kind: 'cluster', name: 'Python Remote' }]
  assert.ok(share(remote, { templateId: CLUSTER, name: 'Python Remote' }))
  const linked = (path: string) => ({
    templateId: CLUSTER,
    name: 'Cluster',
    state: { kind: 'cluster', isProtected: false, path },
  })
  assert.ok(share(remote, linked('D:\\tools\\REMOTE.ghcluster')))
  assert.ok(share(remote, linked('/tools/Remote.ghcluster')))
  assert.ok(!share(remote, linked('D:\\tools\\NotRemote.ghcluster')))

  for (const [componentId, name] of [
    [CLUSTER, 'Cluster'],
    [PYTHON, 'GhPython Script'],
    [PYTHON, 'Python Script'],
    [PYTHON, ' '],
    [MULTIPLICATION, 'Multiplication'],
  ] as const) {
    assert.deepEqual(listNodeOrigins({ templateId: componentId, name }), [], name)
    assert.deepEqual(listFileOrigins(...userObject(name, componentId)), [], name)
  }
})

test('[DOC-37] given names that no database accepts, when their origins are listed, then these are accepted, and the same', () => {
  const name = `a\0${'😀'.repeat(300)}`
  const [origin] = listNodeOrigins({ templateId: PYTHON, name })
  assert.ok(origin!.length <= 200 && origin!.isWellFormed() && !origin!.includes('\0'))
  assert.deepEqual(listFileOrigins(...userObject(name, PYTHON)), [origin])
})
