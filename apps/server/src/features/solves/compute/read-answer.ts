import { ComputeFailure } from './compute-failure.ts'
import type { ComputeItem } from './compute-values.ts'

/** What a Rhino.Compute server answers to `POST /grasshopper`. */
export interface ComputeAnswer {
  /** The values of each output by its name: by the path of the branch, as the server writes it. */
  outputs: ReadonlyMap<string, Readonly<Record<string, readonly ComputeItem[]>>>
  /** What Grasshopper reports as errors and warnings, by the id of the component. */
  errors: ReadonlyMap<string, readonly string[]>
  warnings: ReadonlyMap<string, readonly string[]>
}

/** Grasshopper's message, then the name and the id of the component. */
const MESSAGE = /^(.*): component ".*" \(([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)$/is

/**
 * Reads the JSON of an answer. A server that fails without a solution sends an empty body or a page.
 * Fails: `ComputeFailure`.
 */
export function readAnswer(bytes: Uint8Array): ComputeAnswer {
  const json = parse(new TextDecoder().decode(bytes))
  const { values, errors, warnings } = isObject(json) ? json : {}
  if (!Array.isArray(values)) {
    throw new ComputeFailure('failed', 'The Rhino.Compute server failed, and did not say why.')
  }
  const outputs = new Map(values.map((output: unknown) => readOutput(output)))
  return { outputs, errors: readMessages(errors), warnings: readMessages(warnings) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readOutput(json: unknown): [name: string, branches: Record<string, ComputeItem[]>] {
  const { ParamName: name, InnerTree: branches } = isObject(json) ? json : {}
  const isTree = isObject(branches) && Object.values(branches).every((items) => isListOfItems(items))
  if (typeof name !== 'string' || !isTree) {
    throw new ComputeFailure('failed', 'The answer of the Rhino.Compute server has an unknown form.')
  }
  return [name, branches as Record<string, ComputeItem[]>]
}

function isListOfItems(json: unknown): boolean {
  return Array.isArray(json) && json.every((item) => isObject(item) && isText(item.type) && isText(item.data))
}

/** The server leaves empty lists out. Messages that name no component concern none. */
function readMessages(json: unknown): Map<string, string[]> {
  const messages = new Map<string, string[]>()
  for (const text of Array.isArray(json) ? json : []) {
    const [, message, id] = (isText(text) && MESSAGE.exec(text)) || []
    if (message === undefined || id === undefined) continue
    const list = messages.get(id.toLowerCase())
    if (list) list.push(message)
    else messages.set(id.toLowerCase(), [message])
  }
  return messages
}

const isText = (json: unknown): json is string => typeof json === 'string'

const isObject = (json: unknown): json is Record<string, unknown> => typeof json === 'object' && json !== null
