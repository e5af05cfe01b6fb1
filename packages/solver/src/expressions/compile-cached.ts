import { type Compiled, compile } from './compile.ts'

const MAX_CACHED = 256
const cache = new Map<string, Compiled>()

/** Like `compile`, but compiles an expression only once. */
export function compileCached(expression: string, variables: readonly string[]): Compiled {
  const key = JSON.stringify([expression, variables])
  const cached = cache.get(key)
  if (cached) return cached
  const compiled = compile(expression, variables)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(key, compiled)
  return compiled
}
