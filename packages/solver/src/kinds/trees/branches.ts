import { checkpoint } from '@meadow/geometry/budget/budget'
import type { Value } from '@meadow/geometry/values/value'
import { findPathMask } from '../../tree/path-mask.ts'
import { type Branch, countValues, createList, EMPTY_TREE, findBranch, type Tree } from '../../tree/tree.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { findOption } from '../declaration/options.ts'
import { item, optional, tree } from '../declaration/ports.ts'
import { resolveIndex } from '../sets/resolve-index.ts'

type Data = Tree<Value | null>

export const BRANCHES: readonly Kind[] = [
  defineKind({
    guid: '3a710c1e-1809-4e19-8c15-82adce31cd62',
    description: 'The branch at a path, or an empty list if the tree has no such branch.',
    options: { maintainPaths: 'boolean' },
    solve: ([data, path], context) => {
      const branch = findBranch(data, path)
      if (!branch) context.warn('The tree has no branch at this path')
      const maintainsPath = findOption<boolean>(context.node, 'maintainPaths', 'boolean') ?? true
      return [createList(branch?.values ?? [], maintainsPath ? path : context.path)]
    },
  }),
  defineKind({
    guid: 'c1ec65a3-bda4-4fad-87d0-edf86ed9d81c',
    description: 'An item of a tree by its path and index.',
    solve: ([data, path, index, wrap]) => {
      const values = findBranch(data, path)?.values ?? []
      const position = resolveIndex(index, values.length, wrap)
      return [position === undefined ? null : (values[position] ?? null)]
    },
  }),
  defineKind({
    guid: '99bee19d-588c-41a0-b9b9-1d00fb03ea1a',
    ignoresValues: true,
    description: 'The paths of a tree, the number of items in each branch, and the number of branches.',
    solve: ([{ branches }]) => [
      branches.map(({ path }) => path),
      branches.map(({ values }) => values.length),
      branches.length,
    ],
  }),
  defineKind({
    guid: '74cad441-2264-45fe-a57d-85034751208a',
    description: 'Returns each branch of a tree on its own output.',
    outputs: [],
    moreOutputs: tree.any,
    solve: ([{ branches }], context) => {
      const { length } = context.outputNames
      if (branches.length > length)
        context.remark(`The tree has ${branches.length} branches, and ${length} are shown`)
      return branches.slice(0, length).map((branch) => ({ branches: [branch] }))
    },
  }),
  defineKind({
    guid: 'eeafc956-268e-461d-8e73-ee05c6f72c01',
    description: 'Selects one of several trees by its index.',
    inputs: [item.integer],
    moreInputs: optional(tree.any),
    solve: ([gate, ...more], context) => {
      // Of several gates the first one counts. Source: the notes of Stream Filter in pyhopper.
      if (context.path.at(-1) !== 0) return []
      const stream = more[gate]
      if (!stream) context.error(`There is no stream ${gate}`)
      return stream ? [stream] : []
    },
  }),
  defineKind({
    guid: '71fcc052-6add-4d70-8d97-cfb37ea9d169',
    description: 'Sends a tree to the output with an index; the other outputs are empty.',
    outputs: [],
    moreOutputs: tree.any,
    solve: ([stream, gate], context) => {
      const { length } = context.outputNames
      if (gate < 0 || gate >= length) context.error(`There is no target ${gate}`)
      return Array.from({ length }, (_, i) => (i === gate ? stream : EMPTY_TREE))
    },
  }),
  defineKind({
    guid: 'd8b1e7ac-cd31-4748-b262-e07e53068afc',
    description: 'Splits a tree into the branches that match path masks and the others.',
    solve: ([data, masks], context) => split(data, masks, context),
  }),
]

function split(
  { branches }: Data,
  texts: readonly (string | null)[],
  context: KindContext,
): [positive: Data, negative: Data] | [] {
  const masks = texts.map((text) => {
    const mask = findPathMask(text ?? '')
    if (!mask) context.error(`The mask ${text ?? 'null'} cannot be read`)
    return mask
  })
  if (masks.includes(undefined)) return []
  context.reserve(countValues({ branches }))
  const [positive, negative]: [Branch<Value | null>[], Branch<Value | null>[]] = [[], []]
  for (const { path, values } of branches) {
    checkpoint(masks.length * (1 + values.length))
    const own = masks.filter((mask) => mask?.matchesPath(path))
    const isSelected = (index: number) => own.some((mask) => mask?.matchesIndex(index))
    const [chosen, others] = [values.filter((_, i) => isSelected(i)), values.filter((_, i) => !isSelected(i))]
    const isEmpty = values.length === 0
    if (chosen.length > 0 || (isEmpty && own.length > 0)) positive.push({ path, values: chosen })
    if (others.length > 0 || (isEmpty && own.length === 0)) negative.push({ path, values: others })
  }
  return [{ branches: positive }, { branches: negative }]
}
