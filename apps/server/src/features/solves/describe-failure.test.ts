import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import { describeFailure, nameNode } from '@meadow/solver'

const NODES = { a: { name: 'Series', nickName: '' }, b: { name: 'Panel', nickName: 'Height' } } as never

test('[JOB-13] given a solve that exceeded a limit, when it is described, then the current node is named', () => {
  const describe = (...ids: string[]) =>
    describeFailure(new SolveError('too_many_values', ids), { nodes: NODES })
  assert.equal(describe(), 'The solve would make more values than it may.')
  assert.equal(describe('a'), 'The solve would make more values than it may. It was at "Series" (a).')
})

test('[JOB-13] given limits, when the solver ended a solve at one of them, then the sentence is that of the parent process', () => {
  const describe = (code: 'deadline_exceeded' | 'too_much_memory') =>
    describeFailure(new SolveError(code, ['a']), { nodes: NODES }, { timeMs: 1500, memoryMb: 64 })
  assert.equal(describe('deadline_exceeded'), 'The solve took longer than 1.5 s. It was at "Series" (a).')
  assert.equal(
    describe('too_much_memory'),
    'The solve took more than 64 MB of memory. It was at "Series" (a).',
  )
})

test('[JOB-13] given a cycle of many nodes, when it is described, then the first ones are named, and the others counted', () => {
  const ids = ['b', ...Array.from({ length: 9 }, (_, i) => `n${i}`)]
  assert.equal(
    describeFailure(new SolveError('document_cyclic', ids), { nodes: NODES }),
    'The wires of the document run in a circle, through "Height" (b), n0, n1, n2, n3, n4, n5, n6, 2 more and back to the first.',
  )
})

test('[JOB-13] given a node with a long name, when it is named, then the name is cut', () => {
  const named = nameNode('a', { name: '', nickName: 'x'.repeat(1000) })
  assert.equal(named, `"${'x'.repeat(80)}…" (a)`)
})
