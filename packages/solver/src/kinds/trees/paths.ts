import type { Path } from '@meadow/document'
import type { Value } from '@meadow/geometry/values/value'
import { findPathMask } from '../../tree/path-mask.ts'
import { findRelativeOffset, pairRelativeItems } from '../../tree/relative-items.ts'
import { mapPaths, type Tree } from '../../tree/tree.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const PATHS: readonly Kind[] = [
  defineKind({
    guid: '1d8b0e2c-e772-4fa9-b7f7-b158251b34b8',
    description: 'Tests whether a path matches a mask.',
    solve: ([path, text], context) => {
      const mask = findPathMask(bracket(text))
      if (!mask) context.error(`The mask ${text} cannot be read`)
      return [mask?.matchesPath(path) ?? null]
    },
  }),
  defineKind({
    guid: '946cb61e-18d2-45e3-8840-67b0efa26528',
    description: 'A path from its indices.',
    solve: ([indices]) => {
      const path = present(indices)
      return [path.length === 0 ? null : path]
    },
  }),
  defineKind({
    guid: 'df6d9197-9a6e-41a2-9c9d-d2221accb49e',
    description: 'The indices of a path.',
    solve: ([branch]) => [branch],
  }),
  defineKind({
    guid: 'bfaaf799-77dc-4f31-9ad8-2f7d1a80aeb0',
    description: 'Replaces the paths of the branches that match a mask.',
    solve: ([data, search, replace], context) => {
      if (search.length !== replace.length) {
        context.error('Each mask needs a path')
        return []
      }
      const masks = search.map((text) => findPathMask(bracket(text ?? '')))
      if (masks.includes(undefined)) {
        context.error('A mask cannot be read')
        return []
      }
      const change = (path: Path): Path => {
        const found = masks.findIndex((mask) => mask?.matchesPath(path))
        return replace[found] ?? path
      }
      return [mapPaths(data, change)]
    },
  }),
]

/** Adds the braces that masks may omit. */
function bracket(text: string): string {
  return text.trim().startsWith('{') ? text : `{${text}}`
}

type Data = Tree<Value | null>

interface Settings {
  readonly offset: string
  readonly wrapsPaths: boolean
  readonly wrapsItems: boolean
}

export const RELATIVE: readonly Kind[] = [
  defineKind({
    guid: 'fac0d5be-e3ff-4bbb-9742-ec9a54900d41',
    description: 'Pairs each item of a tree with the item at an offset in the same tree.',
    solve: ([data, offset, wrapsPaths, wrapsItems], context) =>
      pair(data, data, { offset, wrapsPaths, wrapsItems }, context),
  }),
  defineKind({
    guid: '2653b135-4df1-4a6b-820c-55e2ad3bc1e0',
    description: 'Pairs each item of a tree with the item at an offset in another tree.',
    solve: ([a, b, offset, wrapsPaths, wrapsItems], context) =>
      pair(a, b, { offset, wrapsPaths, wrapsItems }, context),
  }),
]

function pair(
  first: Data,
  second: Data,
  { offset, ...wrapping }: Settings,
  context: KindContext,
): [a: Data, b: Data] | [] {
  const read = findRelativeOffset(offset)
  if (!read) {
    context.error(`The offset ${offset} cannot be read`)
    return []
  }
  return pairRelativeItems(first, second, read, wrapping)
}
