import type { Path } from '@meadow/document'
import { BRANCH_BYTES } from '../../budget/budget.ts'
import { type Compiled, compile } from '../../expressions/compile.ts'
import { ExpressionError } from '../../expressions/expression-error.ts'
import { toFloat } from '../../expressions/operators.ts'
import { type Branch, createTree, type Tree } from '../../tree/tree.ts'
import type { Value } from '../../values/value.ts'
import { defineParameter, type RunContext } from '../declaration/define-kind.ts'

type Data = Tree<Value | null>

export const PATH_MAPPER = defineParameter({
  guid: 'f9b89a46-bc5d-4f7a-9a6f-134f93ac3af9',
  description: 'Changes the paths of items by rules such as {A;B}(i) to {A;B;i}.',
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

/** Applies the first rule for the length of each path; branches without a rule are dropped. */
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

/** The new path of an item; undefined if the rule is for paths of another length. */
type PathMapping = (at: { path: Path; index: number; facts: PathFacts }) => Path | undefined

/** The additional variables of targets. */
interface PathFacts {
  pathIndex: number
  pathCount: number
  itemCount: number
}

const SOURCE = /^\s*\{([^{}]*)\}\s*(?:\(([^()]*)\))?\s*$/
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u
const MAX_LENGTH = 10_000
const FACTS = ['path_index', 'path_count', 'item_count']

/**
 * Parses a rule of the Path Mapper: `{A;B}(i)` to `{A;B;i}`. The source names the indices of a path and the
 * index of an item; the target computes the indices of the new path, rounded down.
 * Fails: `ExpressionError` for syntax errors and for unsupported forms: an index in the target, other forms of
 * sources.
 */
function createPathMapping(source: string, target: string): PathMapping {
  if (source.length + target.length > MAX_LENGTH) throw new ExpressionError('The rule is too long')
  const [, pathNames, indexName] = SOURCE.exec(source) ?? []
  if (pathNames === undefined) throw new ExpressionError(`The source ${source} is not supported`)
  const names = splitPath(pathNames)
  const all = [...names, ...(indexName === undefined ? [] : [indexName.trim()])]
  const [, targets] = /^\s*\{([^{}]*)\}\s*$/.exec(target) ?? []
  if (targets === undefined) throw new ExpressionError(`The target ${target} is not supported`)
  if (!all.every((name) => NAME.test(name)))
    throw new ExpressionError(`The source ${source} is not supported`)
  const parts = splitPath(targets).map((part) => compile(part, [...all, ...FACTS]))
  return ({ path, index, facts }) => {
    if (path.length !== names.length) return undefined
    const variables = [...path, ...(indexName === undefined ? [] : [index])]
    return parts.map((part) =>
      computePart(part, [...variables, facts.pathIndex, facts.pathCount, facts.itemCount]),
    )
  }
}

function splitPath(text: string): string[] {
  return text.trim() === '' ? [] : text.split(';').map((part) => part.trim())
}

function computePart(part: Compiled, variables: readonly number[]): number {
  const result = Math.floor(toFloat(part(variables)))
  if (Number.isSafeInteger(result)) return result
  throw new ExpressionError('A path is made of whole numbers')
}
