import { BRANCH_BYTES } from '../../budget/budget.ts'
import { ExpressionError } from '../../expressions/expression-error.ts'
import { createPathMapping, type PathMapping } from '../../tree/path-mapping.ts'
import { type Branch, createTree, type Tree } from '../../tree/tree.ts'
import type { Value } from '../../values/value.ts'
import type { RunContext } from '../define-kind.ts'
import { defineParameter } from '../define-parameter.ts'

type Data = Tree<Value | null>

export const PATH_MAPPER = defineParameter({
  guid: 'f9b89a46-bc5d-4f7a-9a6f-134f93ac3af9',
  description: 'Gives items other paths, by rules such as {A;B}(i) to {A;B;i}.',
  type: 'any',
  change: (data, context) => {
    try {
      return mapData(data, listMappings(context), context)
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      context.error(error.message)
      return { branches: [] }
    }
  },
})

function listMappings({ node }: RunContext): PathMapping[] {
  const rules: unknown = node.state?.kind === 'pathMapper' ? node.state.rules : []
  if (!Array.isArray(rules)) return []
  return rules.map(({ source, target }) => createPathMapping(String(source), String(target)))
}

/** The first rule for paths of a length is the one that counts; without one the data is left out. */
function mapData({ branches }: Data, mappings: readonly PathMapping[], context: RunContext): Data {
  const mapped: Branch<Value | null>[] = []
  for (const [pathIndex, { path, values }] of branches.entries()) {
    const facts = { pathIndex, pathCount: branches.length, itemCount: values.length }
    const mapping = mappings.find((rule) => rule({ path, index: 0, facts }) !== undefined)
    if (!mapping) {
      context.warn(`No rule is for paths of ${path.length} numbers`)
      continue
    }
    context.reserve(values.length, BRANCH_BYTES)
    for (const [index, value] of values.entries()) {
      mapped.push({ path: mapping({ path, index, facts }) ?? path, values: [value] })
    }
  }
  return createTree(mapped)
}
