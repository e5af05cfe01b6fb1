import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** Where the code of the project counts which of its blocks have run. */
export interface Coverage {
  /** 1 for each block that has run since it was reset, by number. Blocks get their numbers as modules are loaded. */
  readonly hits: Uint8Array
  /** How many blocks the loaded modules have. */
  blocks(): number
  /** Leaves modules that are loaded later as they are. */
  stop(): void
}

const MAX_BLOCKS = 2 ** 16
const HITS = '__meadowHits'

/**
 * Makes each block of modules that are loaded from now on count that it has run, where `isWanted` accepts their path. A
 * block is the body of a function, a branch, a case, or the right side of `&&`, `||` and `??`.
 */
export function instrument(isWanted: (path: string) => boolean): Coverage {
  const hits = new Uint8Array(MAX_BLOCKS)
  let blocks = 0
  Object.assign(globalThis, { [HITS]: hits })
  const hooks = registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || !url.endsWith('.ts') || !isWanted(fileURLToPath(url)))
        return next(url, context)
      const text = readFileSync(fileURLToPath(url), 'utf8')
      const counted = countBlocks(text, () => {
        if (blocks === MAX_BLOCKS) throw new Error(`More than ${MAX_BLOCKS} blocks are instrumented.`)
        return blocks++
      })
      return { format: 'module', source: stripTypeScriptTypes(counted), shortCircuit: true }
    },
  })
  return { hits, blocks: () => blocks, stop: () => hooks.deregister() }
}

/** Inserts a count at the start of each block of a module. */
function countBlocks(text: string, next: () => number): string {
  const inserts: { at: number; text: string }[] = []
  const count = () => `${HITS}[${next()}] = 1`
  const countIn = (at: number) => inserts.push({ at, text: `${count()};` })
  const countBefore = (expression: ts.Node) => {
    inserts.push(
      { at: expression.getStart(source), text: `(${count()}, ` },
      { at: expression.getEnd(), text: ')' },
    )
  }
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.ESNext, true)
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) countIn(node.getStart(source) + 1)
    else if (ts.isCaseOrDefaultClause(node)) {
      const [first] = node.statements
      if (first) countIn(first.getStart(source))
    } else if (ts.isIfStatement(node)) {
      for (const branch of [node.thenStatement, node.elseStatement]) if (branch) countStatement(branch)
    } else if (ts.isIterationStatement(node, false)) countStatement(node.statement)
    else if (ts.isConditionalExpression(node)) {
      countBefore(node.whenTrue)
      countBefore(node.whenFalse)
    } else if (ts.isBinaryExpression(node) && LOGICAL.has(node.operatorToken.kind)) countBefore(node.right)
    else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) countBefore(node.body)
    ts.forEachChild(node, visit)
  }
  /** A branch without braces gets them, since only a block can begin with a count. */
  const countStatement = (statement: ts.Statement) => {
    if (ts.isBlock(statement) || ts.isIfStatement(statement)) return
    inserts.push(
      { at: statement.getStart(source), text: `{${count()};` },
      { at: statement.getEnd(), text: '}' },
    )
  }
  visit(source)
  return apply(text, inserts)
}

const LOGICAL: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
])

/** Inserts texts; of those at one position, the outermost comes first at a start and last at an end. */
function apply(text: string, inserts: readonly { at: number; text: string }[]): string {
  const isEnd = ({ text }: { text: string }) => text === ')' || text === '}'
  const sorted = inserts
    .map((insert, order) => ({ ...insert, order }))
    .sort(
      (a, b) =>
        a.at - b.at ||
        Number(isEnd(b)) - Number(isEnd(a)) ||
        (isEnd(a) ? b.order - a.order : a.order - b.order),
    )
  let result = ''
  let from = 0
  for (const { at, text: inserted } of sorted) {
    result += text.slice(from, at) + inserted
    from = at
  }
  return result + text.slice(from)
}
