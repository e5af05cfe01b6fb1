import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Check, Errors } from 'typebox/value'
import { parseDocument } from 'yaml'
import { CheckError } from './check-error.ts'
import { CheckConfig } from './config.ts'
import type { LoadedConfig } from './settings.ts'

/** The names that a configuration can have. A folder may contain one of them. */
export const CONFIG_NAMES = ['meadow.check.json', 'meadow.check.yaml', 'meadow.check.yml'] as const

const MAX_BYTES = 2 ** 20

/**
 * Creates a function that finds the configuration of a folder: the nearest one in it or above it. A configuration is
 * complete by itself; it does not add to those above. The function throws a {@link CheckError} for an invalid one.
 */
export function createConfigFinder(): (folder: string) => Promise<LoadedConfig | undefined> {
  const known = new Map<string, Promise<LoadedConfig | undefined>>()
  function find(folder: string): Promise<LoadedConfig | undefined> {
    const found = known.get(folder) ?? look(folder)
    known.set(folder, found)
    return found
  }
  async function look(folder: string): Promise<LoadedConfig | undefined> {
    const own = await readOwn(folder)
    const parent = dirname(folder)
    return own ?? (parent === folder ? undefined : find(parent))
  }
  return find
}

async function readOwn(folder: string): Promise<LoadedConfig | undefined> {
  const texts = await Promise.all(CONFIG_NAMES.map((name) => readText(join(folder, name))))
  const [first, second] = CONFIG_NAMES.filter((_, i) => texts[i] !== undefined)
  if (first === undefined) return undefined
  if (second !== undefined)
    throw new CheckError(`${folder} has both ${first} and ${second}. Remove one of them.`)
  const file = join(folder, first)
  return { file, config: parseConfig(texts[CONFIG_NAMES.indexOf(first)]!, file) }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    // A part of the path may be a file, and this process may not be allowed to read a folder.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}

/** Reads the configuration that an option names. */
export async function readConfig(file: string): Promise<LoadedConfig> {
  const text = await readText(file)
  if (text === undefined) throw new CheckError(`There is no configuration "${file}", or it cannot be read.`)
  return { file, config: parseConfig(text, file) }
}

/** Parses JSON with a reader of its own: JSON is YAML too, but a stricter reader finds its errors. */
function parseConfig(text: string, file: string): CheckConfig {
  const name = basename(file)
  if (text.length > MAX_BYTES) throw new CheckError(`${file} is larger than ${MAX_BYTES / 2 ** 20} MB.`)
  const document = parseDocument(text, { prettyErrors: true, strict: true, uniqueKeys: true })
  const [fault] = document.errors
  if (fault) throw new CheckError(`${file} cannot be read: ${firstLine(fault.message)}`)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 100 }) ?? {}
  } catch (error) {
    throw new CheckError(`${file} cannot be read: ${firstLine((error as Error).message)}`)
  }
  if (Check(CheckConfig, value)) return value
  throw new CheckError(`${file} is not valid: ${describeFault(value, name)}`)
}

const firstLine = (text: string): string => text.split('\n')[0]!.replace(/:$/, '.')

/** Describes why a configuration is invalid, such as `"rules.script" must be one of error, warning, off.` */
function describeFault(value: unknown, name: string): string {
  const errors = Errors(CheckConfig, value)
  const unknown = errors.find(({ keyword }) => keyword === 'additionalProperties')
  const error = unknown ?? errors.at(-1)!
  const where = error.instancePath.slice(1).replaceAll('/', '.')
  const path = where === '' ? name : `"${where}"`
  const { additionalProperties, allowedValues } = error.params as {
    additionalProperties?: string[]
    allowedValues?: unknown[]
  }
  if (additionalProperties) return `${path} has no member "${additionalProperties[0]}".`
  if (allowedValues) return `${path} must be one of ${allowedValues.join(', ')}.`
  return `${path} ${error.message}.`
}
