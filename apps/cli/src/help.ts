import { API_PREFIX } from '@meadow/client'
import { ENDPOINT_DESCRIPTIONS, type EndpointDescription } from '@meadow/client/endpoints'
import { InvalidArgumentError, type Output } from '@meadow/command'

/** Says what the contract does about an endpoint that a command reads. */
export function describeEndpoint(name: string): string {
  const { path, scope } = endpointOf(name)
  return `GET ${API_PREFIX}${path}  (${scope})`
}

function endpointOf(name: string): EndpointDescription {
  const found = ENDPOINT_DESCRIPTIONS.find((endpoint) => endpoint.name === name)
  if (!found) throw new Error(`The contract has no endpoint ${name}.`)
  return found
}

/** Returns a parameter of an endpoint: its description and the values that it takes. */
export function parameterOf(endpoint: string, name: string): { description: string; values: string[] } {
  const parameter = endpointOf(endpoint).parameters.find((one) => one.name === name)
  if (!parameter) throw new Error(`The endpoint ${endpoint} has no parameter ${name}.`)
  return { description: parameter.description ?? '', values: (parameter.schema.enum ?? []).map(String) }
}

/** The options of commands that read parts of a document or a solution. */
export const partsOptions = (endpoint: string) => ({
  '--nodes <list>': { says: parameterOf(endpoint, 'nodes').description, read: readList },
  '--fields <list>': { says: parameterOf(endpoint, 'fields').description, read: readList },
})

export interface PartsOptions {
  nodes?: string[]
  fields?: string[]
}

const readList = (text: string): string[] => text.split(',')

/** Says which of the requested parts are not there. */
export function reportMissing({ message }: Pick<Output, 'message'>, missing: PartsOptions = {}): void {
  const { nodes = [], fields = [] } = missing
  const names = [...nodes, ...fields]
  if (names.length > 0) message(`Not there: ${names.join(', ')}.`)
}

/** The option `--wait` of commands that read a solution. */
export const WAIT_OPTION = {
  '--wait [seconds]': {
    says: 'Wait until a running solve has ended, ten minutes unless told otherwise.',
    read: readSeconds,
    preset: '600',
  },
}

/** Reads the number of seconds that an option has. */
export function readSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !(seconds > 0))
    throw new InvalidArgumentError('It must be a number of seconds above 0.')
  return seconds
}
