import { formatPath, type Path } from '@meadow/document'
import { BRANCH_BYTES } from '@meadow/geometry/budget/budget'
import type { Value } from '@meadow/geometry/values/value'
import { type Compiled, compile } from '../../expressions/compile.ts'
import { ExpressionError, reportExpression } from '../../expressions/expression-error.ts'
import { toFloat } from '../../expressions/operators.ts'
import { createTree, type Tree } from '../../tree/tree.ts'
import { defineParameter, type RunContext } from '../declaration/define-kind.ts'

export const PATH_MAPPER = defineParameter({
  guid: 'f9b89a46-bc5d-4f7a-9a6f-134f93ac3af9',
  description: 'Changes the paths of items by rules such as {A;B}(i) to {A;B;i}.',
  change: (data, context) => {
    try {
      return mapData(data, listMappings(context), context)
    } catch (error) {
      reportExpression(error, context)
      return { branches: [] }
    }
  },
})

function listMappings({ node }: RunContext): PathMapping[] {
  const rules: unknown = node.state?.kind === 'pathMapper' ? node.state.rules : []
  if (!Array.isArray(rules)) return []
  return rules.map(({ source, target }) => createPathMapping(String(source), String(target)))
}

type Data = Tree<Value | null>

/**
 * Applies to each item the first rule whose source matches its path and its index; items without a rule are dropped.
 * A target with an index places its item there: over an earlier one, and after nulls where the list was shorter.
 */
function mapData({ branches }: Data, mappings: readonly PathMapping[], context: RunContext): Data {
  const mapped = new Map<string, { path: Path; values: (Value | null)[] }>()
  for (const [pathIndex, { path, values }] of branches.entries()) {
    const rules = mappings.filter((rule) => rule.matchesPath(path))
    if (rules.length === 0) {
      context.warn(`No rule is for the path ${formatPath(path)}`)
      continue
    }
    context.reserve(values.length, BRANCH_BYTES)
    const facts = { pathIndex, pathCount: branches.length, itemCount: values.length }
    for (const [index, value] of values.entries()) {
      const rule = rules.find(({ matchesIndex }) => matchesIndex(index))
      if (!rule) continue
      const target = rule.compute(path, index, facts)
      const key = target.path.join(';')
      const branch = mapped.get(key) ?? { path: target.path, values: [] }
      mapped.set(key, branch)
      placeItem(branch.values, value, target.index ?? branch.values.length, context)
    }
  }
  return createTree([...mapped.values()])
}

function placeItem(values: (Value | null)[], value: Value | null, index: number, context: RunContext): void {
  context.reserve(Math.max(1, index - values.length))
  while (values.length < index) values.push(null)
  values[index] = value
}

/** The additional variables of targets. */
interface PathFacts {
  pathIndex: number
  pathCount: number
  itemCount: number
}

interface PathMapping {
  matchesPath(path: Path): boolean
  matchesIndex(index: number): boolean
  /** The new path of an item, and its index if the target has one. */
  compute(path: Path, index: number, facts: PathFacts): { path: Path; index?: number }
}

const MASK = /^\s*\{([^{}]*)\}\s*(?:\(([^{}]*)\))?\s*$/
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u
const CONSTANT = /^-?\d{1,9}$/
const MAX_LENGTH = 10_000
const FACTS = ['path_index', 'path_count', 'item_count']

/**
 * Parses a rule of the Path Mapper: `{A;B}(i)` to `{A;B;i}`, `{A;0}` to `{A}`, `{A}(i)` to `{i}(0)`. An element of the
 * source is a name, for any number, or a number, for itself alone. An element of the target is an expression, rounded
 * down. Source: the help of the component for the form of masks; D. Rutten in grasshopper3d.com, *Path Mapper Component:
 * what are placeholders?*, on several items with one target index, of which the last remains.
 * Fails: `ExpressionError` for syntax errors.
 */
function createPathMapping(source: string, target: string): PathMapping {
  if (source.length + target.length > MAX_LENGTH) throw new ExpressionError('The rule is too long')
  const { path: elements, index: indexElement } = splitMask(source, 'source')
  const all = [...elements, ...(indexElement === undefined ? [] : [indexElement])]
  if (!all.every((element) => NAME.test(element) || CONSTANT.test(element)))
    throw new ExpressionError(`The source ${source} is not a mask`)
  const isNamed = all.map((element) => NAME.test(element))
  const names = [...all.filter((_, i) => isNamed[i]), ...FACTS]
  const targets = splitMask(target, 'target')
  const parts = targets.path.map((part) => compile(part, names))
  const indexPart = targets.index === undefined ? undefined : compile(targets.index, names)
  return {
    matchesPath: (path) =>
      path.length === elements.length && path.every((number, i) => matchesElement(elements[i], number)),
    matchesIndex: (index) => matchesElement(indexElement, index),
    compute(path, index, { pathIndex, pathCount, itemCount }) {
      const variables = [...path, index].filter((_, i) => isNamed[i])
      const operands = [...variables, pathIndex, pathCount, itemCount]
      const place = indexPart && computePart(indexPart, operands)
      if (place !== undefined && place < 0) throw new ExpressionError('An index is not negative')
      return {
        path: parts.map((part) => computePart(part, operands)),
        ...(place === undefined ? {} : { index: place }),
      }
    },
  }
}

/** Whether a number is the constant of an element; any number for a name, or without an element. */
function matchesElement(element: string | undefined, number: number): boolean {
  return element === undefined || !CONSTANT.test(element) || Number(element) === number
}

function splitMask(mask: string, role: string): { path: string[]; index?: string } {
  const [, path, index] = MASK.exec(mask) ?? []
  if (path === undefined) throw new ExpressionError(`The ${role} ${mask} is not a mask`)
  return { path: splitPath(path), ...(index === undefined ? {} : { index: index.trim() }) }
}

function splitPath(text: string): string[] {
  return text.trim() === '' ? [] : text.split(';').map((part) => part.trim())
}

function computePart(part: Compiled, variables: readonly number[]): number {
  const result = Math.floor(toFloat(part(variables)))
  if (Number.isSafeInteger(result)) return result
  throw new ExpressionError('A path is made of whole numbers')
}
