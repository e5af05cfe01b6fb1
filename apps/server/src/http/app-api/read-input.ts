import type { AppEndpoint } from '@meadow/contract/web'
import type { TObject, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { HiddenCharacterError, readName } from '../../platform/database/names.ts'
import { HttpError } from '../http-error.ts'

/**
 * Reads the query as the endpoint declares it: the first of several values counts, and whole numbers become numbers.
 */
export function readQuery({ query }: AppEndpoint, input: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries((query as TObject).properties)) {
    const text = input.get(name)
    if (text !== null) values[name] = isInteger(schema) && /^-?\d{1,15}$/.test(text) ? Number(text) : text
  }
  return check(query, values, 'query') as Record<string, unknown>
}

/** Reads the body as the endpoint declares it. Undeclared members are ignored. */
export function readBody({ body }: AppEndpoint, input: unknown): unknown {
  if (body === undefined) return undefined
  if (input === undefined || input === null) throw new HttpError('body_not_json')
  return check(body, input, 'body')
}

const isInteger = (schema: TSchema): boolean => 'type' in schema && schema.type === 'integer'

function check(schema: TSchema, value: unknown, where: 'query' | 'body'): unknown {
  if (Check(schema, value)) return value
  const [error] = Errors(schema, value)
  const member = error?.instancePath.slice(1).replaceAll('/', '.')
  const which = member ? `"${member}" in the ${where}` : `The ${where}`
  throw new HttpError('request_not_acceptable', { sentence: `${which} is not what is accepted here.` })
}

/** Reads a name as a person typed it, without the spaces around it. Throws when it is not an acceptable name. */
export function readNameInput(text: string): string {
  try {
    return readName(text.trim())
  } catch (error) {
    if (error instanceof HiddenCharacterError)
      throw new HttpError('name_not_acceptable', { sentence: error.message, cause: error })
    if (error instanceof RangeError) throw new HttpError('name_not_acceptable', { cause: error })
    throw error
  }
}

/** A key above all others, which stands for the first page of a list that starts with the newest. */
const NEWEST = 2 ** 31 - 1

/** Reads the key after which a page starts. Anything that is not such a key gives the first page. */
export function readAfter(after: string | undefined): number {
  return after !== undefined && /^\d{1,9}$/.test(after) ? Number(after) : NEWEST
}

export const writeAfter = (key: number): string => String(key)
