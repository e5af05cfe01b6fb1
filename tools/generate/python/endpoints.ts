import {
  type Contract,
  type ContractEndpoint,
  type ContractParameter,
  errorsByStatus,
} from '@meadow/contract/description'
import { capitalise, docstring, indent, literal, toSnakeCase, wrap } from './text.ts'
import { typeOf, type WrittenTypes } from './types.ts'

/** The class that the constants are instances of. */
export const ENDPOINT_CLASS = `Scalar = Union[str, int, float, bool, list[str]]
"""What a parameter can be. Lists are sent with commas between their items."""


class Endpoint(NamedTuple):
    """An endpoint: what is needed to call it."""

    name: str
    path: str
    """Relative to the prefix; \`{name}\` stands for a parameter."""
    scope: str
    """What a token needs to call it."""
    member: Optional[str]
    """The only member of the response, which is returned in its place."""`

/** Writes a constant for each endpoint with everything that a client needs to call it. */
export const writeConstants = ({ endpoints }: Contract): string =>
  endpoints.map((endpoint) => `${constantOf(endpoint)} = Endpoint(${endpointFields(endpoint)})`).join('\n')

const constantOf = ({ name }: ContractEndpoint): string => toSnakeCase(name).toUpperCase()

const endpointFields = ({ name, path, scope, member }: ContractEndpoint): string =>
  [...[name, path, scope].map(literal), member === undefined ? 'None' : literal(member)].join(', ')

/** The style in which the methods of a class are called. */
interface Style {
  className: string
  define: 'def' | 'async def'
  wait: '' | 'await '
}

const STYLES: readonly Style[] = [
  { className: 'BlockingEndpoints', define: 'def', wait: '' },
  { className: 'AsyncEndpoints', define: 'async def', wait: 'await ' },
]

/**
 * Writes two classes with a method for each endpoint. Types of responses and parameters without a name are added to
 * `types`.
 */
export function writeMethods(contract: Contract, types: WrittenTypes): string {
  const results = new Map(contract.endpoints.map((endpoint) => [endpoint, resultOf(endpoint, types)]))
  return STYLES.map((style) => {
    const methods = contract.endpoints.map((endpoint) =>
      writeMethod(endpoint, { contract, style, types, result: results.get(endpoint)! }),
    )
    return `class ${style.className}:\n${indent([writeCall(style), ...methods].join('\n\n'))}`
  }).join('\n\n\n')
}

/** Writes the method that the client implements. */
const writeCall = ({ define }: Style): string => `"""The endpoints of the API as methods."""

${define} _call(
    self,
    endpoint: Endpoint,
    path: dict[str, str],
    query: dict[str, Optional[Scalar]],
    headers: dict[str, Optional[Scalar]],
    timeout: Optional[float],
) -> Any:
    raise NotImplementedError`

/** Returns the type that a method returns. */
function resultOf(endpoint: ContractEndpoint, types: WrittenTypes): string {
  const { name, response, member, variants } = endpoint
  if (variants) return `Union[${Object.values(variants.schemas).join(', ')}]`
  if (member !== undefined)
    return typeOf(response.properties![member]!, capitalise(name), types).replaceAll('"', '')
  const about = { ...response, description: `What \`${toSnakeCase(name)}\` returns.` }
  return typeOf(response.properties ? about : response, `${capitalise(name)}Result`, types).replaceAll(
    '"',
    '',
  )
}

interface MethodContext {
  contract: Contract
  style: Style
  types: WrittenTypes
  result: string
}

function writeMethod(endpoint: ContractEndpoint, context: MethodContext): string {
  const { contract, style, result } = context
  const { variants, parameters } = endpoint
  const overloads = Object.entries(variants?.schemas ?? {}).map(([value, schema]) => {
    const narrowed = parameters.map((parameter) =>
      parameter.name === variants!.parameter ? narrow(parameter, value) : parameter,
    )
    return `@overload\n${signature(endpoint, narrowed, { ...context, result: schema })} ...\n`
  })
  const body = `${docstring(describe(endpoint, contract))}\n${writeReturn(result, endpoint, style.wait)}`
  const definition = signature(endpoint, parameters, context)
  return [...overloads, `${definition}\n${indent(body)}`].join('\n')
}

/** Narrows a parameter to a single value. It can only be left out where that value is its default. */
const narrow = (parameter: ContractParameter, value: string): ContractParameter => ({
  ...parameter,
  isRequired: parameter.schema.default !== value,
  schema: { enum: [value] },
})

function signature(
  { name }: ContractEndpoint,
  parameters: readonly ContractParameter[],
  { style, types, result }: MethodContext,
): string {
  const path = parameters.filter((parameter) => parameter.in === 'path')
  const named = parameters.filter((parameter) => parameter.in !== 'path')
  const lines = [
    'self',
    ...path.map((parameter) => `${toSnakeCase(parameter.name)}: str`),
    '*',
    ...named.map((parameter) => writeParameter(name, parameter, types)),
    'timeout: Optional[float] = None',
  ]
  return `${style.define} ${toSnakeCase(name)}(\n${lines.map((line) => `    ${line},\n`).join('')}) -> ${result}:`
}

function writeParameter(endpoint: string, parameter: ContractParameter, types: WrittenTypes): string {
  const type = parameterType(endpoint, parameter, types)
  return `${toSnakeCase(parameter.name)}: ${parameter.isRequired ? type : `Optional[${type}] = None`}`
}

/**
 * Returns the type of a parameter. Parameters are text in an address, but here those that are `true` or a whole number
 * have their own type.
 */
function parameterType(endpoint: string, { name, schema }: ContractParameter, types: WrittenTypes): string {
  const values = schema.enum?.map(String)
  if (values?.join() === 'true,false') return 'bool'
  if (!values) return typeOf(schema, '', types).replaceAll('"', '')
  const isNumber = values.every((value) => /^\d+$/.test(value))
  const type = `Literal[${values.map((value) => (isNumber ? value : literal(value))).join(', ')}]`
  if (values.length === 1) return type
  const alias = capitalise(endpoint) + capitalise(name)
  types.set(alias, `${alias} = ${type}\n${docstring(`The parameter \`${name}\` of \`${endpoint}\`.`)}`)
  return alias
}

function writeReturn(result: string, endpoint: ContractEndpoint, wait: Style['wait']): string {
  const values = callArguments(endpoint)
  const line = `return cast(${literal(result)}, ${wait}self._call(${values.join(', ')}))`
  if (line.length <= 100) return line
  return `return cast(
    ${literal(result)},
    ${wait}self._call(
${values.map((value) => `        ${value},\n`).join('')}    ),
)`
}

function callArguments(endpoint: ContractEndpoint): string[] {
  const valuesIn = (where: ContractParameter['in']): string =>
    `{${endpoint.parameters
      .filter((parameter) => parameter.in === where)
      .map(({ name }) => `${literal(name)}: ${toSnakeCase(name)}`)
      .join(', ')}}`
  return [constantOf(endpoint), valuesIn('path'), valuesIn('query'), valuesIn('header'), 'timeout']
}

/** Writes the docstring of a method, in the sections that editors know. */
function describe(endpoint: ContractEndpoint, contract: Contract): string {
  const { summary, description, scope, parameters } = endpoint
  const items = parameters.map(
    (parameter) => `${toSnakeCase(parameter.name)}: ${describeParameter(parameter)}`,
  )
  const raised = errorsByStatus(ownErrors(endpoint, contract), contract).map(([status, errors]) => {
    const name = contract.statuses.find((each) => each.status === status)?.name ?? 'ApiError'
    return `${name}: ${[...new Set(errors.map(({ sentence }) => sentence))].join(' ')}`
  })
  return [
    summary,
    ...(description === undefined ? [] : [description]),
    `Scope: \`${scope}\`.`,
    section('Args', [...items, 'timeout: Seconds that the call may take, its retries included.']),
    ...(raised.length === 0 ? [] : [section('Raises', raised)]),
  ].join('\n\n')
}

const section = (title: string, items: readonly string[]): string =>
  `${title}:\n${items.flatMap((item) => wrap(`    ${item}`, '    ')).join('\n')}`

function describeParameter({ name, description, schema }: ContractParameter): string {
  const values = schema.enum ? `One of ${schema.enum.map((value) => `\`${value}\``).join(', ')}.` : undefined
  const otherwise = schema.default === undefined ? undefined : `When not given: \`${schema.default}\`.`
  const id = name.endsWith('Id')
    ? `The id of the ${toSnakeCase(name.slice(0, -2)).replaceAll('_', ' ')}.`
    : undefined
  return [description ?? values ?? id, otherwise].filter(Boolean).join(' ')
}

/** Returns the endpoint without the errors that all endpoints have. */
function ownErrors(endpoint: ContractEndpoint, { endpoints }: Contract): ContractEndpoint {
  const isCommon = (code: string): boolean => endpoints.every(({ errors }) => errors.includes(code))
  return { ...endpoint, errors: endpoint.errors.filter((code) => !isCommon(code)) }
}
