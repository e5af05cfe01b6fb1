import { findRelativeOffset, pairRelativeItems } from '../../tree/relative-items.ts'
import type { Tree } from '../../tree/tree.ts'
import type { Value } from '../../values/value.ts'
import { defineKind, type Kind, type KindContext } from '../define-kind.ts'
import { item, tree } from '../ports.ts'

type Data = Tree<Value | null>

interface Settings {
  readonly offset: string
  readonly wrapsPaths: boolean
  readonly wrapsItems: boolean
}

const SETTINGS = { offset: item.text, wrapsPaths: item.boolean, wrapsItems: item.boolean }

export const RELATIVE: readonly Kind[] = [
  defineKind({
    guid: 'fac0d5be-e3ff-4bbb-9742-ec9a54900d41',
    description: 'Each item of a tree with the one so far away in it.',
    inputs: { tree: tree.any, ...SETTINGS },
    outputs: { a: tree.any, b: tree.any },
    solve: ({ tree: data, ...settings }, context) => pair(data, data, settings, context),
  }),
  defineKind({
    guid: '2653b135-4df1-4a6b-820c-55e2ad3bc1e0',
    description: 'Each item of a tree with the one so far away in another.',
    inputs: { a: tree.any, b: tree.any, ...SETTINGS },
    outputs: { a: tree.any, b: tree.any },
    solve: ({ a, b, ...settings }, context) => pair(a, b, settings, context),
  }),
]

function pair(first: Data, second: Data, { offset, ...wrapping }: Settings, context: KindContext) {
  const read = findRelativeOffset(offset)
  if (!read) {
    context.error(`The offset ${offset} cannot be read`)
    return {}
  }
  const [a, b] = pairRelativeItems(first, second, read, wrapping)
  return { a, b }
}
