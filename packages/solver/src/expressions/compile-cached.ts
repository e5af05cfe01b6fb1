import { type Compiled, compile } from './compile.ts'

const MAX_KEPT = 256
const kept = new Map<string, Compiled>()

/** Like `compile`, but compiles an expression only once. */
export function compileCached(expression: string, variables: readonly string[]): Compiled {
  const key = JSON.stringify([expression, variables])
  const known = kept.get(key)
  if (known) return known
  const compiled = compile(expression, variables)
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(key, compiled)
  return compiled
}
