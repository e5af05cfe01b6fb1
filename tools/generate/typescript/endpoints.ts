import type { Contract, ContractEndpoint, ContractParameter } from '@meadow/contract/description'
import { comment, HEADER, key, literal } from './text.ts'
import { parametersName, resultOf } from './types.ts'

/**
 * Writes `packages/client/src/api/generated/endpoints.ts`: the data that a client needs for each call. It is small,
 * since it is part of the bundle.
 */
export function writeEndpoints(contract: Contract): string {
  const rows = contract.endpoints.map(({ name, path, parameters, member }) => {
    const query = namesOf(parameters, 'query')
    return `  ${key(name)}: ${literal({ path, query, ...(member !== undefined && { member }) })},\n`
  })
  return `${HEADER}
/** Where the endpoints are, below the address of the service. */
export const API_PREFIX = ${literal(contract.prefix)}

/**
 * By name: the path, where \`{name}\` stands for a parameter; the names of the query parameters; and the member of the
 * response that is returned in its place.
 */
export const ENDPOINTS = {
${rows.join('')}} as const

export type EndpointName = keyof typeof ENDPOINTS
`
}

const namesOf = (parameters: readonly ContractParameter[], where: ContractParameter['in']): string[] =>
  parameters.filter((parameter) => parameter.in === where).map(({ name }) => name)

/** Writes `packages/client/src/api/generated/methods.ts`: a method for each endpoint, in a class to be extended. */
export function writeMethods(contract: Contract): string {
  const methods = contract.endpoints.map((endpoint) => writeMethod(endpoint))
  const text = methods.join('\n')
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, '')
  const types = listTypes(contract).filter((name) => new RegExp(`\\b${name}\\b`).test(code))
  return `${HEADER}
import type { EndpointName } from './endpoints.ts'
import type {
${types.map((name) => `  ${name},\n`).join('')}} from './types.ts'

/** The endpoints of the API as methods. \`Options\` are those that every call takes. */
export abstract class EndpointMethods<Options extends object> {
  /** Makes a call. \`path\` has the parameters of the path in their order, \`options\` those of the query as well. */
  protected abstract call<Result>(
    endpoint: EndpointName,
    path: readonly string[],
    options: object | undefined,
  ): Promise<Result>

${text}}
`
}

/** Lists the names of the types that the file of types exports. */
const listTypes = ({ schemas, endpoints }: Contract): string[] =>
  [
    ...Object.keys(schemas),
    ...endpoints.flatMap((endpoint) => [parametersName(endpoint.name), resultOf(endpoint)]),
  ]
    .filter((name, index, all) => /^\w+$/.test(name) && all.indexOf(name) === index)
    .sort()

function writeMethod(endpoint: ContractEndpoint): string {
  const { name, summary, description, scope, parameters, variants } = endpoint
  const path = namesOf(parameters, 'path')
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const isRequired = query.some((parameter) => parameter.isRequired)
  const type = query.length > 0 ? `${parametersName(name)} & Options` : 'Options'
  const signature = (options: string, result: string) =>
    `  ${name}(${[...path.map((each) => `${each}: string`), options].join(', ')}): Promise<${result}>`
  const about = comment([summary, description, `Scope: \`${scope}\`.`].filter(Boolean).join('\n\n'), '  ')
  const overloads = Object.entries(variants?.schemas ?? {}).map(([value, schema]) => {
    const { parameter } = variants!
    const isDefault = query.find((each) => each.name === parameter)?.schema.default === value
    const mark = isDefault ? '?' : ''
    return `${signature(`options${mark}: ${type} & { ${parameter}${mark}: ${literal(value)}${isDefault ? ' | undefined' : ''} }`, schema)}\n`
  })
  const result = variants ? Object.values(variants.schemas).join(' | ') : resultOf(endpoint)
  const all = signature(`options${isRequired ? '' : '?'}: ${type}`, result)
  const body = ` {\n    return this.call(${literal(name)}, [${path.join(', ')}], options)\n  }\n`
  return `${about}${overloads.join('')}${variants ? `${all}\n` : ''}${all}${body}`
}
