import type { DataTree, GraphContent, Node } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import type { Value } from '@meadow/geometry/values/value'
import { readClusters, readDefinition } from '@meadow/grasshopper'
import { decodeGeometry, encodeGeometry } from '@meadow/model'
import { CLUSTER, type Data, findKind, type Solution, solve, toWireTree } from '@meadow/solver'

/*
 * The part of our own Rhino.Compute server for tests that solves. It is not Rhino.Compute: it solves with Meadow's solver
 * and a table of scripts, and answers in the form, and with the omissions, that the public source of
 * mcneel/compute.rhino3d has (GrasshopperDefinition.cs, ResthopperEndpoints.cs, as of October 2024).
 */

/** What a script makes of its inputs, by the names of its ports; trees of the wire format. */
export type TestScript = (inputs: Record<string, DataTree>) => {
  outputs?: Record<string, DataTree>
  errors?: string[]
}

/** By the GUID of the class. */
export type TestScripts = Readonly<Record<string, TestScript>>

interface Item {
  type: string
  data: string
}

export interface TestAnswer {
  status: 200 | 500
  body: { algo: ''; values: { ParamName: string; InnerTree: Record<string, Item[]> }[]; errors?: string[] }
}

const DATA = '8ec86459-bf01-4409-baee-174d0d2b13d0'

/** Solves a definition, and returns the values of the groups whose label contains RH_OUT. */
export function solveDefinition(bytes: Uint8Array, scripts: TestScripts): TestAnswer {
  const { content } = readDefinition(bytes)
  const clusters = readClusters(bytes)
  dropMissingComponents(content, scripts)
  const errors = runScripts(content, clusters, scripts)
  const solution = solveGraph(content, clusters)
  const values = new Map<string, Data>()
  for (const { label, nodeInstanceIds } of content.groups) {
    const node = nodeInstanceIds.map((id) => content.nodes[id]).find((found) => found !== undefined)
    if (!label.includes('RH_OUT') || !node) continue
    for (const [name, tree] of listOutputs(label, node, solution)) {
      if (values.has(name)) errors.push('Multiple output parameters with the same name were detected.')
      else values.set(name, tree)
    }
  }
  const reported = [...errors, ...listErrors(content, solution)]
  return {
    status: reported.length > 0 ? 500 : 200,
    body: {
      algo: '',
      values: [...values].map(([ParamName, tree]) => ({ ParamName, InnerTree: serialize(tree) })),
      ...(reported.length > 0 && { errors: reported }),
    },
  }
}

const solveGraph = (content: GraphContent, clusterContents: ClusterContents): Solution =>
  solve(content, { decodeGeometry, clusterContents })

/** Grasshopper leaves out the components that it does not have, and their wires; it says so to nobody. */
function dropMissingComponents({ nodes }: GraphContent, scripts: TestScripts): void {
  for (const [id, { templateId, instanceId, ports }] of Object.entries(nodes)) {
    const isParameter = Object.hasOwn(ports, instanceId)
    if (templateId === CLUSTER || isParameter || hasComponent(templateId, scripts)) continue
    delete nodes[id]
    for (const { sources } of Object.values(nodes)) {
      for (const [port, wires] of Object.entries(sources))
        sources[port] = wires.filter(({ nodeInstanceId }) => nodeInstanceId !== id)
    }
  }
}

export const hasComponent = (classId: string, scripts: TestScripts): boolean =>
  findKind(classId) !== undefined || Object.hasOwn(scripts, classId)

/** Runs each script once its inputs are known, and replaces its outputs with what it returned. Returns its errors. */
function runScripts(content: GraphContent, clusters: ClusterContents, scripts: TestScripts): string[] {
  const errors: string[] = []
  const waiting = Object.values(content.nodes).filter(({ templateId }) => Object.hasOwn(scripts, templateId))
  while (waiting.length > 0) {
    const solution = solveGraph(content, clusters)
    const ready = waiting.findIndex(({ sources }) =>
      Object.values(sources).every((wires) => wires.every((wire) => isKnown(wire.nodeInstanceId, solution))),
    )
    const [node] = waiting.splice(Math.max(ready, 0), 1)
    const result = scripts[node!.templateId]!(readInputs(node!, solution))
    for (const error of result.errors ?? [])
      errors.push(`${error}: component "${node!.name}" (${node!.instanceId})`)
    replaceOutputs(content, node!, result.outputs ?? {})
  }
  return errors
}

function isKnown(id: string, { states }: Solution): boolean {
  const state = states.get(id)
  return state !== 'unsupported' && state !== 'unknown'
}

function readInputs({ inputs, ports, sources, values }: Node, solution: Solution): Record<string, DataTree> {
  return Object.fromEntries(
    Object.keys(inputs).map((id) => {
      const wires = sources[id] ?? []
      const trees = wires.map((wire) => solution.ports.get(wire.nodeInstanceId)?.get(wire.portInstanceId))
      const wired = toWireTree({ branches: trees.flatMap((tree) => tree?.branches ?? []) }, encodeGeometry)
      return [ports[id]!.name, wires.length > 0 ? wired : (values[id] ?? { branches: [] })]
    }),
  )
}

/** Every output becomes a parameter with its values, so that Meadow's solver goes on from there. */
function replaceOutputs({ nodes }: GraphContent, node: Node, outputs: Record<string, DataTree>): void {
  for (const [id, { name }] of Object.entries(node.ports)) {
    if (!Object.hasOwn(node.outputs, id)) continue
    nodes[id] = {
      ...node,
      instanceId: id,
      templateId: DATA,
      inputs: { [id]: 0 },
      outputs: { [id]: 0 },
      sources: {},
      values: { [id]: outputs[name] ?? { branches: [] } },
      ports: { [id]: { ...node.ports[id]!, typeName: 'Data' } },
    }
  }
  for (const { sources } of Object.values(nodes)) {
    for (const wires of Object.values(sources))
      for (const wire of wires) {
        if (wire.nodeInstanceId === node.instanceId) wire.nodeInstanceId = wire.portInstanceId
      }
  }
  delete nodes[node.instanceId]
}

/** The outputs of the first object of a group: by the label of the group, with several by their nicknames too. */
function* listOutputs(label: string, node: Node, { ports }: Solution): Generator<[name: string, tree: Data]> {
  const trees = ports.get(node.instanceId)!
  const ids = Object.hasOwn(node.ports, node.instanceId) ? [node.instanceId] : Object.keys(node.outputs)
  for (const id of ids) {
    const name = ids.length === 1 ? label : `${label} (${node.ports[id]!.nickName})`
    yield [name, trees.get(id)!]
  }
}

function listErrors({ nodes }: GraphContent, { messages }: Solution): string[] {
  return messages
    .filter(({ level, code }) => level === 'error' && code === 'failed')
    .map(
      ({ nodeInstanceId, message }) =>
        `${message}: component "${nodes[nodeInstanceId]!.name}" (${nodeInstanceId})`,
    )
}

/** Every branch, without nulls and without values of types that the server does not know. */
function serialize({ branches }: Data): Record<string, Item[]> {
  return Object.fromEntries(
    branches.map(({ path, values }) => [
      `{${path.join(';')}}`,
      values.flatMap((value) => serializeValue(value) ?? []),
    ]),
  )
}

const item = (type: string, json: unknown): Item => ({ type, data: JSON.stringify(json) })

const toXyz = ({ x, y, z }: { x: number; y: number; z: number }) => ({ X: x, Y: y, Z: z })
const toInterval = ({ start, end }: { start: number; end: number }) => ({ T0: start, T1: end })

function toPlane({ origin, xAxis, yAxis, zAxis }: Extract<Value, { type: 'plane' }>) {
  return {
    Origin: toXyz(origin),
    XAxis: toXyz(xAxis),
    YAxis: toXyz(yAxis),
    ZAxis: toXyz(zAxis),
    Normal: toXyz(zAxis),
  }
}

/** As Json.NET writes RhinoCommon's structures, with some of the properties that follow from others. */
function serializeValue(value: Value | null): Item | undefined {
  if (value === null) return undefined
  if (typeof value === 'boolean') return item('System.Boolean', value)
  if (typeof value === 'string') return item('System.String', value)
  if (typeof value === 'number') return item('System.Double', Number.isFinite(value) ? value : String(value))
  switch (value.type) {
    case 'integer':
      return item('System.Int32', value.value)
    case 'point':
      return item('Rhino.Geometry.Point3d', toXyz(value))
    case 'vector':
      return item('Rhino.Geometry.Vector3d', toXyz(value))
    case 'plane':
      return item('Rhino.Geometry.Plane', toPlane(value))
    case 'line':
      return item('Rhino.Geometry.Line', { From: toXyz(value.from), To: toXyz(value.to) })
    case 'circle':
      return item('Rhino.Geometry.Circle', {
        Plane: toPlane(value.plane),
        Center: toXyz(value.plane.origin),
        Radius: value.radius,
      })
    case 'arc':
      return item('Rhino.Geometry.Arc', {
        Plane: toPlane(value.plane),
        Radius: value.radius,
        StartAngle: value.startAngle,
        EndAngle: value.endAngle,
        AngleDomain: toInterval({ start: value.startAngle, end: value.endAngle }),
      })
    case 'rectangle':
      return item('Rhino.Geometry.Rectangle3d', {
        Plane: toPlane(value.plane),
        X: toInterval(value.x),
        Y: toInterval(value.y),
      })
    case 'box':
      return item('Rhino.Geometry.Box', {
        Plane: toPlane(value.plane),
        X: toInterval(value.x),
        Y: toInterval(value.y),
        Z: toInterval(value.z),
      })
  }
  const geometry = isGeometry(value) && encodeGeometry(value)
  return geometry ? item(OBJECT_CLASSES[value.type] ?? 'Rhino.Geometry.Brep', geometry) : undefined
}

const OBJECT_CLASSES: Record<string, string> = {
  polyline: 'Rhino.Geometry.PolylineCurve',
  nurbsCurve: 'Rhino.Geometry.NurbsCurve',
  polyCurve: 'Rhino.Geometry.PolyCurve',
  mesh: 'Rhino.Geometry.Mesh',
}
