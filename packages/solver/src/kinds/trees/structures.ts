import { BRANCH_BYTES } from '@meadow/geometry/budget/budget'
import type { Value } from '@meadow/geometry/values/value'
import { flatten, flip, graft, merge, shiftPaths, simplify, trim, unflatten } from '../../tree/structure.ts'
import { type Branch, countValues, createTree, listValues, mapPaths, type Tree } from '../../tree/tree.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { optional, tree } from '../declaration/ports.ts'

type Data = Tree<Value | null>

export const STRUCTURES: readonly Kind[] = [
  defineKind({
    guid: '87e1d9ef-088b-4d30-9dda-8a7448a17329',
    description: 'Puts each item into its own branch.',
    options: { includeNullItems: 'boolean', includeEmptyLists: 'boolean' },
    solve: ([data], context) => {
      const { node } = context
      context.reserve(countValues(data), BRANCH_BYTES)
      const grafted = graft(data)
      // Files contain the options only after a change; both are on by default.
      const includesNulls = findOption<boolean>(node, 'includeNullItems', 'boolean') ?? true
      const includesEmpty = findOption<boolean>(node, 'includeEmptyLists', 'boolean') ?? true
      const isIncluded = ({ values }: Branch<Value | null>) =>
        values.length === 0 ? includesEmpty : includesNulls || values[0] !== null
      return [includesNulls && includesEmpty ? grafted : { branches: grafted.branches.filter(isIncluded) }]
    },
  }),
  defineKind({
    guid: 'f80cfe18-9510-4b89-8301-8e58faf423bb',
    description: 'Moves all items into one branch.',
    solve: ([data, path], context) => {
      // Of several paths Grasshopper keeps the last one, by the notes of Flatten Tree in pyhopper. An earlier version has none.
      if (path && context.path.at(-1)) context.limit('Only a single path is supported')
      return [flatten(data, path)]
    },
  }),
  defineKind({
    guid: '1303da7b-e339-4e65-a051-82c4dce8224d',
    description: 'Removes the indices that all paths have in common.',
    solve: ([data, front]) => [simplify(data, { front })],
  }),
  defineKind({
    guid: '3cadddef-1e2b-4c09-9390-0e8f78f7609f',
    description: 'Merges several trees; branches with equal paths are joined.',
    inputs: [],
    moreInputs: optional(tree.any),
    solve: (more) => [merge(more)],
  }),
  defineKind({
    guid: 'c9785b8e-2f30-4f90-8ee3-cca710f82402',
    description:
      'Combines several trees: each is flattened into its own branch, or moved below its own path index.',
    options: { flattenInputs: 'boolean' },
    inputs: [],
    moreInputs: optional(tree.any),
    outputs: [tree.any],
    solve: (more, { node }) => {
      const flattens = findOption<boolean>(node, 'flattenInputs', 'boolean') ?? true
      if (!flattens) return [merge(more.map((data, i) => mapPaths(data, (path) => [i, ...path])))]
      return [{ branches: more.map((data, i) => ({ path: [0, i], values: listValues(data) })) }]
    },
  }),
  defineKind({
    guid: '41aa4112-9c9b-42f4-847e-503b9d90e4c7',
    description: 'Swaps rows and columns: each branch gets the items of one index.',
    solve: ([data], context) => {
      context.reserve(data.branches.length * longestBranch(data))
      const flipped = flip(data)
      if (flipped) return [flipped]
      context.error('The paths must be of one length and differ in one number')
      return []
    },
  }),
  defineKind({
    guid: '2d61f4e0-47c5-41d6-a41d-6afa96ee63af',
    description: 'Removes indices from the start or the end of the paths.',
    solve: ([data, offset], context) => {
      warnOfShortPaths(data, offset, context)
      return [shiftPaths(data, offset)]
    },
  }),
  defineKind({
    guid: '1177d6ee-3993-4226-9558-52b7fd63e1e3',
    description: 'Joins the outermost branches.',
    solve: ([data, depth], context) => {
      warnOfShortPaths(data, depth, context)
      return [trim(data, depth)]
    },
  }),
  defineKind({
    guid: '46372d0d-82dc-4acb-adc3-25d1fde04c4e',
    description: 'Gives the branches of a tree the paths of another tree with as many branches.',
    solve: ([data, guide], context) => {
      if (data.branches.length === guide.branches.length) {
        return [mapPaths(data, (path, i) => guide.branches[i]?.path ?? path)]
      }
      context.error('The two trees must have as many branches')
      return []
    },
  }),
  defineKind({
    guid: 'b8e2aa8f-8830-4ee1-bb59-613ea279c281',
    description: 'Rearranges the items of a tree into branches like those of a guide tree.',
    solve: ([data, guide]) => [unflatten(listValues(data), guide)],
  }),
  defineKind({
    guid: '071c3940-a12d-4b77-bb23-42b5d3314a0d',
    description: 'Removes nulls and empty branches from a tree.',
    solve: ([removesNulls, removesInvalid, removesEmpty, data]) => [
      clean(data, removesNulls, removesInvalid, removesEmpty),
    ],
  }),
  defineKind({
    guid: '7991bc5f-8a01-4768-bfb0-a39357ac6b84',
    description: 'Removes nulls from a tree, and invalid items and empty branches if they are unwanted too.',
    solve: ([data, removesInvalid, removesEmpty]) => [clean(data, true, removesInvalid, removesEmpty)],
  }),
  defineKind({
    guid: 'fe769f85-8900-45dd-ba11-ec9cd6c778c6',
    description: 'Removes the branches of a tree that have too few or too many items.',
    solve: ([data, least, most]) => [prune(data, least, most)],
  }),
]

export function clean(
  { branches }: Data,
  removesNulls: boolean,
  removesInvalid: boolean,
  removesEmpty: boolean,
): Data {
  const isIncluded = (value: Value | null) =>
    !(removesNulls && value === null) && !(removesInvalid && typeof value === 'number' && Number.isNaN(value))
  const cleaned = branches.map(({ path, values }) => ({ path, values: values.filter(isIncluded) }))
  return { branches: removesEmpty ? cleaned.filter(({ values }) => values.length > 0) : cleaned }
}

function longestBranch({ branches }: Data): number {
  return branches.reduce((longest, { values }) => Math.max(longest, values.length), 0)
}

function warnOfShortPaths({ branches }: Data, offset: number, context: KindContext): void {
  if (branches.some(({ path }) => path.length <= Math.abs(offset)))
    context.warn('Branches whose paths are too short were left out')
}

/** Keeps branches with `least` to `most` items; there is no upper limit if `most` is below 1. */
function prune({ branches }: Data, least: number, most: number): Data {
  return createTree(
    branches.filter(({ values: { length } }) => length >= least && (most < 1 || length <= most)),
  )
}
