import { type Contract, errorsByStatus } from '@meadow/contract/description'
import { HEADER, literal } from './text.ts'

/**
 * Writes `packages/client/src/endpoints/generated/descriptions.ts`: the descriptions of the endpoints, as data for help
 * texts and tools.
 */
export function writeDescriptions(contract: Contract): string {
  const endpoints = contract.endpoints.map((endpoint) => {
    const { name, path, summary, description, scope, parameters } = endpoint
    const errors = errorsByStatus(endpoint, contract).map(([status, causes]) => ({
      status,
      sentences: causes.map(({ sentence }) => sentence),
    }))
    return { name, path, summary, description: description ?? '', scope, parameters, errors }
  })
  return `${HEADER}
import type { EndpointDescription, ScopeDescription, StatusDescription } from '../description.ts'

/** The endpoints, in the order in which they are documented. */
export const ENDPOINT_DESCRIPTIONS: readonly EndpointDescription[] = ${list(endpoints)}

/** What a token may be allowed to do. */
export const SCOPE_DESCRIPTIONS: readonly ScopeDescription[] = ${list(contract.scopes)}

/** The statuses of errors: what they are called, and what to do about them. */
export const STATUS_DESCRIPTIONS: readonly StatusDescription[] = ${list(contract.statuses)}
`
}

const list = (items: readonly object[]): string =>
  `[\n${items.map((item) => `  ${block(item, '  ')},\n`).join('')}]`

/** Writes an object over several lines, with one line for each member that is not a list of objects. */
function block(item: object, indent: string): string {
  const members = Object.entries(item).map(([name, value]) => {
    const isList = Array.isArray(value) && typeof value[0] === 'object'
    const text = isList
      ? `[\n${value.map((each) => `${indent}    ${literal(each)},\n`).join('')}${indent}  ]`
      : literal(value)
    return `${indent}  ${name}: ${text},\n`
  })
  return `{\n${members.join('')}${indent}}`
}
