import type { DataValue, GraphContent, Node, PortReference } from '@meadow/contract'
import {
  type ClusterContents,
  findCanvasObject,
  findComponent,
  findComponentName,
  findParameterType,
  findScript,
} from '@meadow/document'
import { type WriteWarningKind, writeDefinition } from '@meadow/grasshopper'
import { CLUSTER, type Solution } from '@meadow/solver'
import { listDependents } from './list-dependents.ts'
import { type AskedPort, createProbeWriter } from './probes.ts'

/** What a Rhino.Compute server is asked about a document. */
export interface ComputeQuestion {
  /** The JSON of `POST /grasshopper`. */
  body: Uint8Array
  plan: ComputePlan
}

/** How to read the answer. */
export interface ComputePlan {
  nodes: AskedNode[]
  /** All these classes, each once. */
  classIds: string[]
}

/** A node that Meadow could not solve. */
export interface AskedNode {
  nodeId: string
  /** The class of the node, if the server may lack it: Rhino has not had each of its components in every version. */
  classId: string | undefined
  /** The classes of the nodes inside a cluster that the server may lack. */
  innerClassIds: string[]
  /** Whether an error may come from the server rather than from the document: it lacks a file, a licence or a library. */
  isEnvironmental: boolean
  /** The ports whose values are unknown. */
  ports: AskedPort[]
}

/** What a question is made from. */
export interface Askable {
  content: GraphContent
  clusters: ClusterContents
  /** The file that the document was imported from. */
  original: Uint8Array | undefined
  /** A member of RhinoCommon's `UnitSystem`. */
  units: string
}

/** Rhino's default tolerances, in units and in degrees, which Meadow's solver has too. */
const TOLERANCES = { absolutetolerance: 0.001, angletolerance: 1 }
/** The version of Rhino that the values are written for: rhino3dm 7 reads them. */
const DATA_VERSION = 7

/**
 * What to ask a Rhino.Compute server so that it solves what Meadow could not; undefined when there is nothing that it
 * could: objects of a Rhino model are not there either. Fails: `GrasshopperError` for an original that cannot be read.
 */
export function askCompute(
  asked: Askable,
  solution: Pick<Solution, 'states' | 'ports'>,
): ComputeQuestion | undefined {
  const { content, clusters, original, units } = asked
  const unsolved = new Set(
    [...solution.states].flatMap(([id, state]) =>
      state === 'unsupported' || state === 'unknown' ? [id] : [],
    ),
  )
  const isBeyond = (id: string) =>
    needsModel(content.nodes[id]!, clusters) || isUnreadable(id, content, clusters)
  const beyond = listDependents(content, [...unsolved].filter(isBeyond))
  const nodes = [...unsolved].filter((id) => !beyond.has(id)).map((id) => content.nodes[id]!)
  if (nodes.length === 0) return undefined

  const sent = createSentGraph(content)
  const probes = createProbeWriter(sent)
  const planned = nodes.map((node): AskedNode => {
    const isOptional = isOptionalClass(node.templateId)
    const isChecked =
      isOptional || (solution.states.get(node.instanceId) === 'unsupported' && isComponent(node))
    const innerClassIds = [...new Set(listInnerClasses(clusters, node.instanceId))]
    return {
      nodeId: node.instanceId,
      classId: isChecked ? node.templateId : undefined,
      innerClassIds,
      isEnvironmental: isOptional || innerClassIds.length > 0 || FILE_CLASSES.has(node.templateId),
      ports: listUnknownPorts(node, solution).map((port) =>
        probes.addPort(port, node.ports[port.portInstanceId]?.typeName ?? ''),
      ),
    }
  })
  const document = { name: 'Document', ...sent }
  const { bytes, warnings } = writeDefinition(document, original ? { original } : {})
  const lost = warnings.flatMap(({ kind, nodeInstanceId: id }) =>
    id !== undefined && LOSSES.has(kind) && !probes.isProbe(id) ? [id] : [],
  )
  const lostDependents = listDependents(content, lost)
  const asks = planned.filter(({ nodeId }) => !lostDependents.has(nodeId))
  if (asks.length === 0) return undefined
  return {
    body: writeBody(bytes, units),
    plan: {
      nodes: asks,
      classIds: [
        ...new Set(
          asks.flatMap(({ classId, innerClassIds }) => [...(classId ? [classId] : []), ...innerClassIds]),
        ),
      ],
    },
  }
}

function writeBody(definition: Uint8Array, modelunits: string): Uint8Array {
  const algo = Buffer.from(definition).toString('base64')
  const body = { ...TOLERANCES, modelunits, dataversion: DATA_VERSION, algo, values: [], cachesolve: false }
  return Buffer.from(JSON.stringify(body))
}

/** The warnings about what the file lacks, or has only approximately. */
const LOSSES: ReadonlySet<WriteWarningKind> = new Set<WriteWarningKind>([
  'cyclic_wire_left_out',
  'unknown_component_left_out',
  'hidden_content_missing',
  'hidden_content_copied',
  'value_left_out',
  'ports_kept',
])

/** Leaves out the outputs that the document's author has chosen, which would only be sent back. */
function createSentGraph({ nodes, groups, configuration }: GraphContent): GraphContent {
  const kept = Object.entries(nodes).filter(([, { templateId }]) => !CONTEXT_OUTPUTS.has(templateId))
  return {
    nodes: Object.fromEntries(kept.map(([id, node]) => [id, withOwnObjects(node)])),
    groups: groups.map((group) => ({ ...group, label: group.label.replaceAll('RH_', 'RH-') })),
    configuration,
  }
}

/** Objects of Rhino models become part of the definition: the server does not have the models. */
function withOwnObjects(node: Node): Node {
  const isResolved = (value: DataValue | null) => value?.referenceId !== undefined && isAtHand(value)
  const trees = Object.values(node.values)
  if (!trees.some(({ branches }) => branches.some(({ values }) => values.some(isResolved)))) return node
  const values = Object.entries(node.values).map(([id, { branches }]) => [
    id,
    {
      branches: branches.map(({ path, values }) => ({
        path,
        values: values.map((value) => (isResolved(value) ? withoutReference(value!) : value)),
      })),
    },
  ])
  return { ...node, values: Object.fromEntries(values) }
}

function withoutReference({ referenceId: _, referencePart: __, ...value }: DataValue): DataValue {
  return value
}

/** Whether a definition can have the object itself: a block is nothing without its model. */
function isAtHand({ type, value, geometry }: DataValue): boolean {
  return geometry !== undefined && !(type === 'unknown' && value.description === 'Block')
}

/** Context Bake and Context Print. */
const CONTEXT_OUTPUTS: ReadonlySet<string> = new Set([
  'ae2531b4-bab2-4bb1-b5bf-f2143d10c132',
  '73215ec5-0eb5-4f85-9e07-b09c4590ce2b',
])

/** The ports of a node that are unknown; some outputs of a cluster may be known. */
function listUnknownPorts(
  { instanceId, outputs, ports }: Node,
  solution: Pick<Solution, 'ports'>,
): PortReference[] {
  const known = solution.ports.get(instanceId)
  const ids = Object.hasOwn(ports, instanceId) ? [instanceId] : Object.keys(outputs)
  return ids
    .filter((id) => (known?.get(id)?.branches.length ?? 0) === 0)
    .map((portInstanceId) => ({ nodeInstanceId: instanceId, portInstanceId }))
}

/** Geometry Pipeline, which reads a model, and Data Recorder and Data Dam, which keep what came before. */
const SESSION_CLASSES: ReadonlySet<string> = new Set([
  'b341e2e5-c4b3-49a3-b3a4-b4e6e2054516',
  '401aa475-997a-4139-991d-f980ffdcf908',
  '65283518-ad00-49d3-87fb-f76823ebb162',
])

/** Whether a node is neither a parameter nor a cluster. */
function isComponent({ templateId, instanceId, ports }: Node): boolean {
  return templateId !== CLUSTER && !Object.hasOwn(ports, instanceId)
}

/** Image Sampler, Import 3DM and Read File. */
const FILE_CLASSES: ReadonlySet<string> = new Set([
  'd69a3494-785b-4beb-969b-d2373f65abfd',
  '317f1cb2-820d-4a8f-b5c8-5de3594ddfba',
  '6587fcbf-e3cf-480a-b2f5-641794474194',
])

/** Whether a node depends on what only the author's Rhino has: an object of the model, or what came before. */
function needsModel(
  { templateId, instanceId, values, sources }: Node,
  clusters: ClusterContents,
  isInCluster = false,
): boolean {
  if (SESSION_CLASSES.has(templateId)) return true
  for (const [portId, { branches }] of Object.entries(values)) {
    if ((sources[portId]?.length ?? 0) > 0) continue
    for (const branch of branches)
      for (const value of branch.values) {
        // What is inside a cluster is sent as it is in the file.
        if (value?.referenceId !== undefined && (isInCluster || !isAtHand(value))) return true
      }
  }
  const cluster = templateId === CLUSTER ? clusters.get(instanceId) : undefined
  if (!cluster || 'unknown' in cluster) return false
  return Object.values(cluster.content.nodes).some((node) => needsModel(node, cluster.clusters, true))
}

/** Whether a node is a cluster, or has one inside, whose components are not known, so that some may be missing. */
function isUnreadable(
  id: string,
  { nodes }: Pick<GraphContent, 'nodes'>,
  clusters: ClusterContents,
): boolean {
  if (nodes[id]?.templateId !== CLUSTER) return false
  const cluster = clusters.get(id)
  if (!cluster || 'unknown' in cluster) return true
  return Object.keys(cluster.content.nodes).some((inner) =>
    isUnreadable(inner, cluster.content, cluster.clusters),
  )
}

function* listInnerClasses(clusters: ClusterContents, id: string): Generator<string> {
  const cluster = clusters.get(id)
  if (!cluster || 'unknown' in cluster) return
  for (const { templateId, instanceId } of Object.values(cluster.content.nodes)) {
    if (isOptionalClass(templateId)) yield templateId
    yield* listInnerClasses(cluster.clusters, instanceId)
  }
}

/** Whether a class comes with a plug-in, or with some versions of Rhino only, as scripts do. */
function isOptionalClass(classId: string): boolean {
  if (findScript(classId)) return true
  return !(
    findComponent(classId) ||
    findComponentName(classId) !== undefined ||
    findParameterType(classId) ||
    findCanvasObject(classId)
  )
}
