import { ALL_SCOPES, type Scope } from '@meadow/contract'

/** Scopes as a token's row holds them: their names, separated by spaces. */
export function writeScopes(scopes: Iterable<Scope>): string {
  const wanted = new Set(scopes)
  return ALL_SCOPES.filter((scope) => wanted.has(scope)).join(' ')
}

/** The scopes of a token's row; a name that is no scope any more is left out. */
export function readScopes(list: string): Scope[] {
  const names = new Set(list.split(' '))
  return ALL_SCOPES.filter((scope) => names.has(scope))
}
