import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UsingNode } from '@meadow/contract/web'
import {
  describeFound,
  describeGaps,
  describeNodes,
  listFolderChoices,
  readUsesFragment,
  usesPath,
  usingNodesPath,
} from './describe-uses.ts'

const node = (...clusters: string[]): UsingNode => ({
  nodeInstanceId: 'n',
  name: 'Move',
  nickName: 'Move',
  clusters,
})

test('[WEB-98] given anything that documents use, when an address is made of it and read, then it is the same', () => {
  const references = [
    { kind: 'component', key: 'e9eb1dcf-0000-4000-8000-000000000000' },
    { kind: 'plugin', key: 'bbbb', version: '2.5.1 beta' },
    { kind: 'script', key: 'x = "a:b@c" # 100 %' },
    { kind: 'cluster', key: 'FASSADE Ü' },
  ] as const
  for (const reference of references) {
    const [, fragment] = usingNodesPath('doc_1', reference).split('#')
    assert.deepEqual(readUsesFragment(`#${fragment}`), reference)
    assert.ok(URL.canParse(usesPath('team_1', reference), 'http://localhost'))
  }
  for (const hash of ['', '#state', '#uses=', '#uses=nothing:1', '#uses=%', '#uses=component:'])
    assert.equal(readUsesFragment(hash), undefined)
})

test('[WEB-96, WEB-98] given numbers of nodes, then they are said in words', () => {
  assert.deepEqual(
    [describeNodes(1, 0), describeNodes(0, 1), describeNodes(1200, 2)],
    ['1 node', '1 node in clusters', '1,200 nodes and 2 in clusters'],
  )
  assert.equal(describeFound([node()]), '1 node uses what you searched for.')
  assert.equal(describeFound([node(), node('A', 'B')]), '1 node and 1 in clusters use what you searched for.')
  assert.match(describeFound([]), /any more/)
  assert.match(describeFound(null), /too large/)
})

test('[WEB-97] given an index with gaps, then each is said, and nothing when there is none', () => {
  assert.deepEqual(describeGaps({ pending: 0, unread: 0, partial: 0 }), {})
  assert.match(describeGaps({ pending: 1, unread: 0, partial: 0 }).pending ?? '', /^1 document has changed/)
  const { others } = describeGaps({ pending: 0, unread: 2, partial: 1 })
  assert.match(others ?? '', /^2 documents could not be read; 1 document could be read only in part/)
})

test('[WEB-96] given folders, then they are offered with their paths, without the root', () => {
  const folders = [
    { id: 'root', name: 'Acme', parentId: null },
    { id: 'a', name: 'Towers', parentId: 'root' },
    { id: 'b', name: 'Old', parentId: 'a' },
  ]
  assert.deepEqual(
    listFolderChoices(folders).map(({ label }) => label),
    ['Towers', 'Towers / Old'],
  )
})
