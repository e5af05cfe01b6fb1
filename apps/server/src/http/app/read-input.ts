import type { AppEndpoint } from '@meadow/contract/web'
import type { TObject, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { HttpError } from '../http-error.ts'

/** The query as the endpoint declares it: the first of several values, whole numbers as numbers. */
export function readQuery({ query }: AppEndpoint, given: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries((query as TObject).properties)) {
    const text = given.get(name)
    if (text !== null) values[name] = isInteger(schema) && /^-?\d{1,15}$/.test(text) ? Number(text) : text
  }
  return checked(query, values, 'query') as Record<string, unknown>
}

/** The body as the endpoint declares it. Members that it does not declare are nobody's. */
export function readBody({ body }: AppEndpoint, given: unknown): unknown {
  if (body === undefined) return undefined
  if (given === undefined || given === null) throw new HttpError('body_not_json')
  return checked(body, given, 'body')
}

const isInteger = (schema: TSchema): boolean => 'type' in schema && schema.type === 'integer'

function checked(schema: TSchema, value: unknown, where: 'query' | 'body'): unknown {
  if (Check(schema, value)) return value
  const [error] = Errors(schema, value)
  const member = error?.instancePath.slice(1).replaceAll('/', '.')
  const which = member ? `"${member}" in the ${where}` : `The ${where}`
  throw new HttpError('request_not_acceptable', { sentence: `${which} is not what is accepted here.` })
}
