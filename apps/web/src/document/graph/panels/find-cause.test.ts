import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode, type Node } from '@meadow/client/live'
import { KINDS } from '../../../testing/kinds.ts'
import type { NodeMessage } from '../nodes/graph-context.ts'
import { findCause } from './find-cause.ts'

/** Nodes in a row, each with a wire from the one before; `c` and `a` close a circle. */
const ids = ['a', 'b', 'c', 'd'] as const
const nodes = Object.fromEntries(
  ids.map((id, index): [string, Node] => {
    const before = ids.at(index - 1)!
    const from = index === 3 ? 'c' : before === 'd' ? 'c' : before
    const node = createNode(KINDS.panel, { position: { x: 0, y: 0 } })
    return [
      id,
      { ...node, instanceId: id, sources: { [id]: [{ nodeInstanceId: from, portInstanceId: from }] } },
    ]
  }),
)
const message = (level: NodeMessage['level'], cause?: string): NodeMessage[] => [
  {
    level,
    code: 'note',
    message: 'No data',
    ...(cause ? { causeNodeInstanceId: cause } : {}),
  } as NodeMessage,
]

test('[WEB-183] given messages, when the cause of one is looked for, then it is the node that it names, or the first in trouble before it', () => {
  const cause = (messages: Record<string, NodeMessage[]>, id = 'd') =>
    findCause(nodes, new Map(Object.entries(messages)), id)
  assert.equal(cause({ d: message('warning', 'a') }), 'a')
  assert.equal(cause({ d: message('warning', 'gone') }), undefined)
  assert.equal(cause({ b: message('error'), c: message('warning'), d: message('warning') }), 'b')
  assert.equal(cause({ a: message('remark'), d: message('warning') }), undefined)
  assert.equal(cause({ b: message('error') }), undefined)
  assert.equal(cause({ b: message('error'), d: message('error') }), 'b')
})
