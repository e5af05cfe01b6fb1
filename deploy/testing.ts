import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../apps/server/src/config.ts'

const ROOT = join(import.meta.dirname, '..')

export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** The documents of a YAML file; throws with all mistakes. Texts `${NAME:-default}` have to be replaced before. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into files of every shape.
export function readYaml(text: string): any[] {
  return parseAllDocuments(text, { merge: true }).map((document) => {
    const [mistake] = [...document.errors, ...document.warnings]
    if (mistake) throw mistake
    return document.toJS()
  })
}

/** Throws the mistakes of the settings; every name that looks like one of Meadow's has to be one. */
export function checkSettings(env: Record<string, string>, known: readonly string[]): void {
  const unknown = Object.keys(env).filter(
    (name) => /^(MEADOW_|DATABASE_)/.test(name) && !known.includes(name.replace(/_FILE$/, '')),
  )
  if (unknown.length > 0) throw new Error(`There are no variables ${unknown.join(', ')}.`)
  readConfig(env)
}
