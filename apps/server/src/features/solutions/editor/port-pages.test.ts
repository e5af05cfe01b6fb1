import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import fc from 'fast-check'
import { indexPorts, type PortPage, readPage, toPortKey } from './port-pages.ts'

const value = fc.oneof(
  fc.constant(null),
  fc.string().map((text): DataValue => ({ type: 'string', value: text })),
  fc.integer().map((number): DataValue => ({ type: 'integer', value: number })),
)
const tree = fc
  .array(
    fc.record({ path: fc.array(fc.nat(9)).map((path) => `{${path.join(';')}}`), values: fc.array(value) }),
  )
  .map((branches) => ({ branches }))
const ids = fc.string({ minLength: 1 })

test('[EDIT-2] given any trees, when they are read page by page, then each value is on one page, in its branch, and the counts are right', () => {
  const trees = fc.dictionary(ids, fc.dictionary(ids, tree))
  fc.assert(
    fc.property(trees, fc.integer({ min: 1, max: 7 }), (data, limit) => {
      const body = Buffer.from(JSON.stringify({ data: { solutionId: 'sol_1', ...data }, messages: [] }))
      const ports = indexPorts(body)
      for (const [node, ofNode] of Object.entries(data)) {
        if (node === 'solutionId') continue
        for (const [port, { branches }] of Object.entries(ofNode)) {
          const pages: PortPage[] = []
          let from: number | null = 0
          while (from !== null) {
            const page = readPage(body, ports.get(toPortKey(node, port))!, { from, limit })
            pages.push(page)
            assert.ok(page.tree.branches.reduce((sum, { values }) => sum + values.length, 0) <= limit)
            from = page.next
          }
          assert.deepEqual(
            join(pages),
            branches.flatMap(({ values }) => values),
          )
          const [{ values, nulls, branches: count }] = pages as [PortPage]
          const all = branches.flatMap((branch) => branch.values)
          assert.deepEqual(
            [count, values, nulls],
            [branches.length, all.length, all.filter((one) => one === null).length],
          )
        }
      }
    }),
  )
})

const join = (pages: readonly PortPage[]) =>
  pages.flatMap(({ tree }) => tree.branches.flatMap(({ values }) => values))

test('[EDIT-2] given branches with and without values, when pages are read, then each branch is on its page, with the index of its first value', () => {
  const number = (value: number) => ({ type: 'integer', value })
  const branches = [
    { path: '{0}', values: [number(0), number(1), number(2)] },
    { path: '{1}', values: [] },
    { path: '{2}', values: [null, number(3)] },
  ]
  const body = Buffer.from(JSON.stringify({ data: { solutionId: 's', n: { p: { branches } } } }))
  const at = indexPorts(body).get(toPortKey('n', 'p'))!
  const first = readPage(body, at, { from: 0, limit: 2 })
  assert.deepEqual(
    [first.tree.branches, first.firstIndex, first.next],
    [[{ path: '{0}', values: [number(0), number(1)] }], 0, 2],
  )
  const second = readPage(body, at, { from: 2, limit: 2 })
  assert.deepEqual(second.tree.branches, [
    { path: '{0}', values: [number(2)] },
    { path: '{1}', values: [] },
    { path: '{2}', values: [null] },
  ])
  assert.deepEqual([second.firstIndex, second.next, second.nulls, second.branches], [2, 4, 1, 3])
  const beyond = readPage(body, at, { from: 100, limit: 2 })
  assert.deepEqual([beyond.tree.branches, beyond.next], [[], null])
})
