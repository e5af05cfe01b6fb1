import {
  type Contract,
  type ContractEndpoint,
  type JsonSchema,
  nameOfReference,
} from '@meadow/contract/description'
import { capitalise, comment, HEADER, key, literal } from './text.ts'

/**
 * Writes `packages/client/src/api/generated/types.ts`: the named schemas of the contract, and the parameters of each
 * endpoint.
 */
export const writeTypes = (contract: Contract): string =>
  [
    HEADER,
    ...Object.entries(contract.schemas).map(([name, schema]) => writeNamed(name, schema)),
    ...writeParameters(contract),
    ...writeResults(contract),
  ].join('\n')

function writeNamed(name: string, schema: JsonSchema): string {
  const about = comment(schema.description)
  const isInterface = schema.properties && schema.additionalProperties === undefined
  if (isInterface) return `${about}export interface ${name} ${typeOf(schema)}\n`
  return `${about}export type ${name} = ${typeOf(schema)}\n`.replace('= \n', '=\n')
}

/** Returns the type of a schema. The lines after its first one begin with `indent`. */
function typeOf(schema: JsonSchema, indent = ''): string {
  if (schema.$ref !== undefined) return nameOfReference(schema.$ref)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return unionOf(schema.anyOf, indent)
  if (schema.prefixItems) return `[${schema.prefixItems.map((item) => typeOf(item, indent)).join(', ')}]`
  if (schema.items) return arrayOf(schema.items, indent)
  if (schema.type === 'object') return objectOf(schema, indent)
  return PRIMITIVES[schema.type ?? ''] ?? 'unknown'
}

const PRIMITIVES: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

function unionOf(variants: readonly JsonSchema[], indent: string): string {
  const [common, own] = splitCommon(variants)
  const types = own.map((variant) => typeOf(variant, `${indent}    `))
  const isLong = types.some((type) => type.includes('\n'))
  if (!isLong) return types.join(' | ')
  const union = types.map((type) => `\n${indent}  | ${type}`).join('')
  return common ? `(${union}\n${indent}) & ${typeOf(common, indent)}` : union
}

/** Splits variants into the fields that all of them share, which are written once, and the variants without these. */
function splitCommon(
  variants: readonly JsonSchema[],
): [common: JsonSchema | undefined, own: readonly JsonSchema[]] {
  const isOfAll = (name: string): boolean =>
    variants.every(
      ({ properties, required = [] }) =>
        !required.includes(name) &&
        JSON.stringify(properties?.[name]) === JSON.stringify(variants[0]!.properties?.[name]),
    )
  const names = Object.keys(variants[0]!.properties ?? {}).filter(isOfAll)
  if (names.length < 2) return [undefined, variants]
  const pick = (schema: JsonSchema, keep: (name: string) => boolean): JsonSchema => ({
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties!).filter(([name]) => keep(name))),
  })
  const { required: _, ...common } = pick(variants[0]!, (name) => names.includes(name))
  return [common, variants.map((variant) => pick(variant, (name) => !names.includes(name)))]
}

function arrayOf(items: JsonSchema, indent: string): string {
  const type = typeOf(items, indent)
  return items.anyOf || items.enum ? `(${type})[]` : `${type}[]`
}

function objectOf(schema: JsonSchema, indent: string): string {
  const { properties, required = [], additionalProperties } = schema
  const values =
    typeof additionalProperties === 'object'
      ? `Record<string, ${typeOf(additionalProperties, indent)}>`
      : undefined
  if (!properties) return values ?? 'Record<string, unknown>'
  const short = shortObject(schema)
  if (short !== undefined && indent !== '') return values === undefined ? short : `${short} & ${values}`
  const members = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    const about = comment(property.description, `${indent}  `)
    return `${about}${indent}  ${key(name)}${mark}: ${typeOf(property, `${indent}  `)}\n`
  })
  const fields = `{\n${members.join('')}${indent}}`
  return values === undefined ? fields : `${fields} & ${values}`
}

/** Writes an object on one line if it has few fields, and none with a description. */
function shortObject({ properties = {}, required = [] }: JsonSchema): string | undefined {
  const fields = Object.entries(properties)
  if (fields.some(([, { description }]) => description !== undefined)) return undefined
  const members = fields.map(
    ([name, schema]) => `${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, ' ')}`,
  )
  const text = `{ ${members.join('; ')} }`
  return text.length <= 80 && !text.includes('\n') ? text : undefined
}

/** Returns the name of the interface for an endpoint's query parameters. */
export const parametersName = (endpoint: string): string => `${capitalise(endpoint)}Parameters`

function writeParameters(contract: Contract): string[] {
  return contract.endpoints.flatMap(({ name, parameters }) => {
    const query = parameters.filter((parameter) => parameter.in === 'query')
    if (query.length === 0) return []
    const members = query.map(
      ({ name: parameter, description, isRequired, schema }) =>
        `${comment(describeDefault(description, schema), '  ')}  ${key(parameter)}${isRequired ? '' : '?'}: ${parameterType(schema)}${isRequired ? '' : ' | undefined'}\n`,
    )
    return `/** Parameters of \`${name}\`. */\nexport interface ${parametersName(name)} {\n${members.join('')}}\n`
  })
}

function describeDefault(description: string | undefined, schema: JsonSchema): string | undefined {
  if (schema.default === undefined) return description
  return [description, `When not given: \`${schema.default}\`.`].filter(Boolean).join(' ')
}

/** Returns the type of an endpoint's result: an interface with a name, unless the contract has one for it. */
export function resultOf({ name, response, member }: ContractEndpoint): string {
  if (member !== undefined) return typeOf(response.properties![member]!)
  return response.properties ? `${capitalise(name)}Result` : typeOf(response)
}

const writeResults = ({ endpoints }: Contract): string[] =>
  endpoints
    .filter(({ member, response }) => member === undefined && response.properties)
    .map((endpoint) => {
      const about = `/** What \`${endpoint.name}\` returns. */\n`
      return `${about}export interface ${resultOf(endpoint)} ${typeOf(endpoint.response)}\n`
    })

/**
 * Returns the type of a parameter. Parameters are text in an address, but here those that are `true` or a whole number
 * have their own type.
 */
function parameterType(schema: JsonSchema): string {
  const values = schema.enum?.map(String)
  if (values?.join() === 'true,false') return 'boolean'
  return values?.every((value) => /^\d+$/.test(value)) ? values.join(' | ') : typeOf(schema)
}
