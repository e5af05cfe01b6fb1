import { readFileSync } from 'node:fs'
import { getTextDistance } from '@meadow/geometry/values/text-distance'
import type { Kind } from './kinds.ts'

export interface Variable<T = unknown> {
  readonly is: Kind<T>
  /** The text that is used when the variable is not set. */
  readonly default?: string
  /** One or more sentences for the documentation. */
  readonly says: string
  /** A secret can also be given as the path of a file, in the variable with `_FILE` behind its name. */
  readonly secret?: true
}

export type Environment = Record<string, string | undefined>

export type ValuesOf<Variables extends Record<string, Variable>> = {
  [Name in keyof Variables]: Variables[Name] extends { is: Kind<infer T> }
    ? Variables[Name] extends { default: string }
      ? T
      : T | undefined
    : never
}

/**
 * The values of all variables, and all mistakes at once, as sentences that name the variable but never its value, which
 * could be a mistyped password. An empty variable counts as not set.
 */
export function readVariables<Variables extends Record<string, Variable>>(
  variables: Variables,
  env: Environment,
): { values: ValuesOf<Variables>; mistakes: string[] } {
  const mistakes: string[] = []
  const values = Object.entries(variables).map(([name, variable]) => {
    try {
      return [name, readVariable(name, variable, env)]
    } catch (error) {
      if (!(error instanceof Mistake)) throw error
      mistakes.push(error.message)
      return [name, undefined]
    }
  })
  return { values: Object.fromEntries(values) as ValuesOf<Variables>, mistakes }
}

/** A variable that is set and that nobody reads, and the name that was probably meant. */
export interface Misspelling {
  readonly name: string
  readonly meant: string
}

/** This covers two letters that changed places, or two that are missing, wrong or too many. */
const MAX_MISSPELT = 2

/**
 * Lists the variables of the environment whose names are nearly those of ours: misspelt, or with `_FILE` behind one that
 * is no secret. Others are not ours to judge: commands and scripts have variables of their own.
 */
export function listMisspellings(
  variables: Record<string, Variable>,
  env: Environment,
): readonly Misspelling[] {
  const known = Object.entries(variables).flatMap(([name, { secret }]) =>
    secret ? [name, `${name}_FILE`] : [name],
  )
  const findMeant = (name: string) => {
    const withoutFile = name.replace(/_FILE$/, '')
    if (known.includes(withoutFile)) return withoutFile
    return known.find((other) => getTextDistance(name, other) <= MAX_MISSPELT)
  }
  return Object.keys(env)
    .filter((name) => name.startsWith('MEADOW_') && env[name] && !known.includes(name))
    .flatMap((name) => {
      const meant = findMeant(name)
      return meant === undefined ? [] : [{ name, meant }]
    })
}

class Mistake extends Error {}

function readVariable(name: string, variable: Variable, env: Environment): unknown {
  const input = variable.secret ? readSecret(name, env) : { text: env[name], name }
  const text = input.text || variable.default
  if (text === undefined) return undefined
  const value = variable.is.read(text)
  if (value === undefined) throw new Mistake(`${input.name} must be ${variable.is.accepts}.`)
  return value
}

/** The text of a secret and the name of the variable that it comes from. */
function readSecret(name: string, env: Environment): { text: string | undefined; name: string } {
  const file = env[`${name}_FILE`]
  if (!file) return { text: env[name], name }
  if (env[name]) throw new Mistake(`${name} and ${name}_FILE are both set: keep one of them.`)
  const text = readSecretFile(`${name}_FILE`, file)
  if (text === '') throw new Mistake(`${name}_FILE names a file that is empty.`)
  return { text, name: `What ${name}_FILE holds` }
}

/** The text of a file without a final line break. */
function readSecretFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Mistake(`${name} names a file that cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}
