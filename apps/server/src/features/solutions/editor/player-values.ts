import { createHash } from 'node:crypto'
import type { DataValue, PortReference } from '@meadow/contract'
import type { AppResponse, PlayerResult, readPlayer } from '@meadow/contract/web'
import { RESULT_VALUES } from '@meadow/contract/web/terms'
import { encodeNumber, fingerprintOf, labelOfPort, readPlayerInputs, resultPortOf } from '@meadow/document'
import type { StoredJson } from '../../../content/content.store.ts'
import { readGraph } from '../../../content/read-graph.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import type { StoredForms } from '../solutions.store.ts'
import type { PageRequest, PortPage } from './port-pages.ts'

export interface PlayerValuesRequest {
  kind: 'player'
  content: StoredJson
  /** The body of the last solution without geometry; undefined when there is none, or it is too large to be read. */
  values: StoredForms | undefined
  /** What the last solution was computed from, where that is known. */
  fingerprint: string | undefined
}

/** What of a document its player shows beside the geometry. */
export interface PlayerValues extends Pick<AppResponse<typeof readPlayer>, 'inputs' | 'results'> {
  /** Whether the fingerprint is that of the content, or not known. */
  isCurrent: boolean
  /** A hash of which nodes are hidden. */
  hidden: string
}

export type ReadPage = (
  values: StoredForms,
  port: PortReference,
  page: PageRequest,
) => Promise<PortPage | undefined>

/** Reads what the player of a document shows, which are the pinned ports only. */
export async function readPlayerValues(
  blobs: BlobStore,
  readPage: ReadPage,
  { content, values, fingerprint }: PlayerValuesRequest,
): Promise<PlayerValues> {
  const graph = await readGraph(blobs, content)
  const { nodes, configuration } = graph
  const inputs = readPlayerInputs(graph, configuration.inputs).map(({ label, field, value }) => ({
    label,
    field,
    value: typeof value === 'number' ? encodeNumber(value) : typeof value === 'object' ? [...value] : value,
  }))
  const results: PlayerResult[] = []
  for (const port of configuration.outputs) {
    const node = nodes[port.nodeInstanceId]
    if (!node) continue
    const label = labelOfPort(node, port.portInstanceId, configuration.outputs)
    const request = { from: 0, limit: RESULT_VALUES }
    const page = values && (await readPage(values, resultPortOf(graph, port), request))
    results.push({ label, values: page ? showPage(page) : null })
  }
  return {
    inputs,
    results,
    isCurrent: fingerprint === undefined || fingerprint === fingerprintOf(graph),
    hidden: createHash('sha256').update(listHiddenIds(nodes).join()).digest('base64url'),
  }
}

const showPage = ({ branches, values, tree }: PortPage): PlayerResult['values'] => ({
  branches,
  count: values,
  first: tree.branches.flatMap((branch) => branch.values.map((value) => value && showValue(value))),
})

/** Returns a value as the player writes it: without an object of a model, or the properties and sources of unknown ones. */
function showValue({ type, value }: DataValue): DataValue {
  return (
    type === 'unknown' ? { type, value: { description: value.description } } : { type, value }
  ) as DataValue
}

/** Lists the nodes whose preview is off. */
export const listHiddenIds = (nodes: Awaited<ReturnType<typeof readGraph>>['nodes']): string[] =>
  Object.keys(nodes).filter((id) => !nodes[id]!.status.isPreviewed)
