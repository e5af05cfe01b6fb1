import { ENDPOINT_DESCRIPTIONS, type EndpointDescription } from '@meadow/client/endpoints'
import type { Page } from '../text/page.ts'
import type { ToolContext } from './context.ts'
import { exportDocument } from './export-document.ts'
import { listFolder, searchDocuments } from './list-documents.ts'
import { outline, readNodes } from './read-documents.ts'
import { DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS, readValues } from './read-values.ts'

/** JSON Schema of an argument. */
interface ArgumentSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly (string | number)[]
  readonly [keyword: string]: unknown
}

/** A tool as clients see it, and the scope that its endpoint needs. */
export interface ToolDescription {
  readonly name: string
  readonly scope: string
  readonly description: string
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, ArgumentSchema>>
    readonly required?: readonly string[]
    readonly additionalProperties: false
  }
}

interface Tool {
  readonly name: string
  /** The endpoint that the tool reads. The tool needs the same scope. */
  readonly endpoint: string
  describe(endpoint: EndpointDescription): string
  /** The parameters of the endpoint that are arguments of the tool, by the same names. */
  readonly parameters?: readonly string[]
  readonly arguments: Readonly<Record<string, ArgumentSchema>>
  readonly required: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: its arguments are those of the schema, which are checked before.
  run(args: any, context: ToolContext): Promise<Page>
}

const DOCUMENT: ArgumentSchema = { type: 'string', description: 'Id or exact name.' }
const CURSOR: ArgumentSchema = { type: 'string', description: 'From the previous answer.' }
const INSIDE: ArgumentSchema = { type: 'string', description: 'Id of a cluster: its contents. Nested: a/b.' }
const GROUP: ArgumentSchema = { type: 'string', description: 'Label: only its nodes.' }
const NODES: ArgumentSchema = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  maxItems: 200,
  description: 'Ids or nicknames of nodes, or labels of groups.',
}

/** The tools, in the order in which they are usually used. */
const TOOLS: readonly Tool[] = [
  {
    name: 'search_documents',
    endpoint: 'searchDocuments',
    describe: ({ summary, description }) => `${summary} ${description}`,
    parameters: ['q', 'folderId', 'uses'],
    arguments: {},
    required: [],
    run: searchDocuments,
  },
  {
    name: 'list_folder',
    endpoint: 'readFolder',
    describe: ({ summary }) => `${summary} Without folderId: the root folder.`,
    parameters: ['folderId', 'depth'],
    arguments: { cursor: CURSOR },
    required: [],
    run: listFolder,
  },
  {
    name: 'outline_document',
    endpoint: 'readDocument',
    describe: ({ summary }) =>
      `${summary} As an outline in text, a line for each node with its short id. Begin here.`,
    arguments: { document: DOCUMENT, group: GROUP, inside: INSIDE, cursor: CURSOR },
    required: ['document'],
    run: outline,
  },
  {
    name: 'read_nodes',
    endpoint: 'readDocument',
    describe: () =>
      'Everything about some nodes: ports and their types, wires in and out, typed-in values, script sources, settings.',
    arguments: { document: DOCUMENT, nodes: NODES, inside: INSIDE, cursor: CURSOR },
    required: ['document', 'nodes'],
    run: readNodes,
  },
  {
    name: 'read_values',
    endpoint: 'readSolution',
    describe: ({ summary }) =>
      `${summary} Without nodes: its errors and warnings, and a line for each output. With nodes: their values, all of them for a single node. No solve is started; one that is running is waited for.`,
    arguments: {
      document: DOCUMENT,
      nodes: NODES,
      waitSeconds: {
        type: 'integer',
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        default: DEFAULT_WAIT_SECONDS,
        description: 'For the solve that is running.',
      },
      cursor: CURSOR,
    },
    required: ['document'],
    run: readValues,
  },
  {
    name: 'export_document',
    endpoint: 'requestExport',
    describe: ({ summary }) => summary,
    parameters: ['format', 'modelerVersion'],
    arguments: { document: DOCUMENT },
    required: ['document'],
    run: exportDocument,
  },
]

/**
 * Returns the descriptions of the tools that clients get. They depend on nothing but the descriptions of the endpoints.
 */
export const describeTools = (endpoints: readonly EndpointDescription[]): ToolDescription[] =>
  TOOLS.map((tool) => describeTool(tool, endpoints))

/** Runs a tool with arguments that its schema accepts. */
export const runTool = (name: string, args: unknown, context: ToolContext): Promise<Page> =>
  TOOLS.find((tool) => tool.name === name)!.run(args, context)

function describeTool(tool: Tool, endpoints: readonly EndpointDescription[]): ToolDescription {
  const endpoint = endpoints.find(({ name }) => name === tool.endpoint)
  if (!endpoint)
    throw new Error(`The tool ${tool.name} needs the endpoint ${tool.endpoint}, which the API lacks.`)
  const parameters = (tool.parameters ?? []).map((name) => findParameter(endpoint, name))
  const required = [
    ...tool.required,
    // The id of a folder has a default here, although the path of the endpoint needs it.
    ...parameters.filter((each) => each.isRequired && each.in === 'query').map(({ name }) => name),
  ]
  return {
    name: tool.name,
    scope: endpoint.scope,
    description: tool.describe(endpoint).replaceAll('`', '').trim(),
    inputSchema: {
      type: 'object',
      properties: { ...tool.arguments, ...Object.fromEntries(parameters.map(toArgument)) },
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
  }
}

type Parameter = EndpointDescription['parameters'][number]

function findParameter(endpoint: EndpointDescription, name: string): Parameter {
  const parameter = endpoint.parameters.find((each) => each.name === name)
  if (!parameter) throw new Error(`${endpoint.name} has no parameter ${name}.`)
  return parameter
}

const toArgument = ({ name, description, schema }: Parameter): [string, ArgumentSchema] => [
  name,
  { ...schema, ...(description !== undefined && { description: description.replaceAll('`', '') }) },
]

export const TOOL_DESCRIPTIONS = describeTools(ENDPOINT_DESCRIPTIONS)
