import { isDeepStrictEqual } from 'node:util'
import type { DataValue, EncodedGeometry, MessageCode } from '@meadow/contract'
import { UNITS, type Unit } from '@meadow/contract/terms'
import type { Geometry } from '@meadow/geometry/values/value'
import { describeDrawing } from '../drawing/draw-objects.ts'
import { encodeGeometry } from '../geometry/encode-geometry.ts'
import { type DecodedObject, decodeObjects } from '../objects/decode-objects.ts'
import { readObjects } from '../objects/read-objects.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import type { ModelLibrary } from '../worker/model-library.ts'
import { mapReferences, type Reference, type WholeGraph } from './list-references.ts'

/** A model file, as much of it as reading objects takes. */
export interface ReferencedModel {
  /** What its bytes are read by: the digest of a blob, or the path of a file. */
  digest: string
  /** The name of the file, with its extension. */
  name: string
  /** The size of the file in bytes. */
  size: number
  /** The name of its unit of length; null where it has none. */
  units: string | null
}

/** An object that a document refers to, and the models that have it: those next to the document, all as near. */
export interface ReferencedObject {
  /** The id of the object, in lower case. */
  id: string
  models: ReferencedModel[]
}

/** A document whose references to Rhino models are replaced by the objects, as far as these are at hand. */
export interface ResolvedGraph extends WholeGraph {
  /** Its own geometry as values of a graph; other literals are not included. */
  geometries: ReadonlyMap<EncodedGeometry, Geometry>
  /** Says which model an object comes from, or why it is not there. */
  reportReference: (reference: DataValue) => ReferenceReport | undefined
  /** The unit of the models, if all have the same. */
  unit?: Unit | undefined
}

/** What a node says about a reference, as the solver takes it. */
interface ReferenceReport {
  level: 'error' | 'warning' | 'remark'
  code: MessageCode
  message: string
}

interface Sources {
  /** Why an object is not there that none of the models has, as the end of a sentence. */
  notFound: string
  /** Reads a model by its digest; undefined when it is gone. */
  blobs: { read(digest: string): Promise<Uint8Array | undefined> }
  library: Pick<ModelLibrary, 'decode'>
}

/** Larger files are not read into the memory of a solver. */
const MAX_MODEL_BYTES = 512 * 2 ** 20

/** Replaces references by the objects of `models`, which are read one after the other. */
export async function resolveReferences(
  { content, clusters }: WholeGraph,
  models: readonly ReferencedObject[],
  sources: Sources,
): Promise<ResolvedGraph> {
  const objects = await readAll(models, sources)
  const notFound: Fault = { fault: sources.notFound }
  const geometries = new Map<EncodedGeometry, Geometry>()
  const reports = new Map<DataValue, ReferenceReport>()
  const units = new Set<string | null>()
  const graph = mapReferences(content, clusters, (reference) => {
    const found = resolve(reference, objects.get(reference.referenceId.toLowerCase()) ?? notFound)
    if ('fault' in found) {
      reports.set(reference, { level: found.level ?? 'error', code: 'limit', message: found.fault })
      return reference
    }
    const { resolved, value, message } = found
    units.add(found.model.units)
    if (value) geometries.set(resolved.geometry!, value)
    reports.set(resolved, { level: 'remark', code: 'note', message })
    return resolved
  })
  const unit = units.size === 1 ? findUnit([...units][0]!) : undefined
  return { ...graph, geometries, reportReference: (wire) => reports.get(wire), unit }
}

/** Returns the unit of a model; undefined if it has no unit, or a custom one. */
const findUnit = (name: string | null): Unit | undefined =>
  UNITS.find((known) => known === name && known !== 'none')

// Reading the models.

/** An object of a model, or the reason why it was not found. */
type Found = { object: DecodedObject; model: ReferencedModel } | Fault
interface Fault {
  fault: string
  level?: 'warning'
}

async function readAll(objects: readonly ReferencedObject[], sources: Sources): Promise<Map<string, Found>> {
  const models = new Map<string, ReferencedModel>()
  const ids = new Map<string, string[]>()
  for (const { id, models: having } of objects) {
    for (const model of having) {
      models.set(model.digest, model)
      ids.set(model.digest, [...(ids.get(model.digest) ?? []), id])
    }
  }
  const read = new Map<string, ReadonlyMap<string, Found>>()
  for (const model of models.values())
    read.set(model.digest, await readModel(model, ids.get(model.digest)!, sources))
  return new Map(
    objects.flatMap(({ id, models: having }) => {
      const [first, ...others] = having.map(
        ({ digest, name }) => read.get(digest)!.get(id) ?? { fault: `${name} no longer has it` },
      )
      return first ? [[id, choose(first, others)] as const] : []
    }),
  )
}

/** Reads the objects with these ids; if the model cannot be read, they all have the same fault. */
async function readModel(
  model: ReferencedModel,
  ids: readonly string[],
  { blobs, library }: Sources,
): Promise<Map<string, Found>> {
  const fail = (reason: string) =>
    new Map(ids.map((id) => [id, { fault: `${model.name} cannot be read: ${reason}` }]))
  if (model.size > MAX_MODEL_BYTES) return fail(`it has more than ${MAX_MODEL_BYTES / 2 ** 20} MB`)
  const bytes = await blobs.read(model.digest)
  if (!bytes) return fail('the file is missing on the server')
  try {
    const decoded = await decodeObjects(readObjects(bytes, ids), ids, library)
    return new Map([...decoded].map(([id, object]) => [id, { object, model }]))
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error
    return fail(error.message)
  }
}

/** The object, when all models have the same; otherwise which one is meant cannot be known. */
function choose(first: Found, others: readonly Found[]): Found {
  const candidates = [first, ...others]
  const fault = candidates.find((found) => 'fault' in found)
  if (fault) return fault
  if (others.every((other) => isSame(first, other))) return first
  const names = candidates.flatMap((found) => ('model' in found ? [found.model.name] : []))
  return {
    level: 'warning',
    fault: `${listNames(names)} are equally near and have different objects with this id`,
  }
}

function isSame(a: Found, b: Found): boolean {
  if ('fault' in a || 'fault' in b) return false
  if (a.object.kind === 'Block' || b.object.kind === 'Block')
    return isDeepStrictEqual(a.object.value, b.object.value)
  if (a.object.geometry.data === b.object.geometry.data) return true
  return a.object.value !== undefined && isDeepStrictEqual(a.object.value, b.object.value)
}

const listNames = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

// From an object to a value of the document.

type Resolved = { resolved: DataValue; value?: Geometry; message: string; model: ReferencedModel } | Fault

function resolve(reference: Reference, found: Found): Resolved {
  const { referenceId } = reference
  const nameIt = `object ${referenceId} of a Rhino model`
  if ('fault' in found) return { ...found, fault: `The ${nameIt} is not at hand: ${found.fault}` }
  const { object, model } = found
  const part = pickPart(reference, object)
  if ('fault' in part) return { fault: `The ${nameIt} is in ${model.name}, but ${part.fault}` }
  const { geometry, value } = part
  const left = (object.omitted ?? []).map(({ kind, count }) => `${count} × ${kind.toLowerCase()}`)
  const without = left.length > 0 ? `, without ${left.join(', ')} inside the block` : ''
  const unit = model.units === null || model.units === 'none' ? '' : `, in ${model.units}`
  const shown = value || object.kind === 'Block' ? '' : `. ${describeView(object.kind)}`
  const message = `Read from ${model.name}${unit}${without}${shown}`
  const wire = { referenceId, ...(reference.referencePart && { referencePart: reference.referencePart }) }
  return {
    resolved: { ...describe(reference, object, value), geometry, ...wire },
    ...(value && { value }),
    message,
    model,
  }
}

/** Describes how an object that the solver has no type for is shown. */
function describeView(kind: string): string {
  const how = describeDrawing(kind)
  const name = `The ${kind === 'SubD' ? kind : kind.toLowerCase()}`
  return how ? `${name} is shown ${how}` : `${name} is not shown in the 3D view`
}

function describe(reference: Reference, { kind }: DecodedObject, value: Geometry | undefined): DataValue {
  if (value?.type === 'point') return { type: 'point', value: [value.x, value.y, value.z] }
  const isSummary = value !== undefined && 'boundingBox' in (reference.value as object)
  return isSummary
    ? ({ type: reference.type, value: { description: kind, boundingBox: null } } as DataValue)
    : { type: 'unknown', value: { description: kind } }
}

interface Part {
  geometry: EncodedGeometry
  value?: Geometry
}

/** The object itself, or the edge that the reference names; a fault where the parameter cannot hold it. */
function pickPart(
  { type, value: summary, referencePart }: Reference,
  object: DecodedObject,
): Part | { fault: string } {
  const { kind, value, geometry } = object
  const wanted = type === 'unknown' ? POINT.exec((summary as { description: string }).description)?.[0] : type
  if (referencePart?.type === 'edge') return pickEdge(referencePart.index ?? -1, object)
  if (referencePart)
    return { fault: `the definition takes a part of it (${referencePart.type}), which is not supported` }
  const holds = wanted === undefined ? undefined : HOLDS[wanted.toLowerCase()]
  if (holds && !holds.has(kind))
    return { fault: `it is a ${kind.toLowerCase()}, which is not supported here` }
  if (!value && holds) return { fault: `it is a ${kind.toLowerCase()} of a form that is not supported` }
  if (type === 'surface' && value?.type === 'brep' && value.faces.length > 1)
    return {
      fault: `it has ${value.faces.length} faces, and the definition does not say which of them it takes`,
    }
  return { geometry, ...(value && { value }) }
}

/** The description that an import gives to a reference without a type. */
const POINT = /^Point(?= in a Rhino model)/

/** The kinds of objects in Rhino that parameters of a type hold as they are. */
const HOLDS: Readonly<Record<string, ReadonlySet<string>>> = {
  point: new Set(['Point']),
  curve: new Set(['Curve']),
  surface: new Set(['Surface', 'Brep', 'Extrusion']),
  brep: new Set(['Brep', 'Surface', 'Extrusion']),
  mesh: new Set(['Mesh']),
}

/** An extrusion has edges of its own, which are counted in another way. */
function pickEdge(index: number, { kind, value }: DecodedObject): Part | { fault: string } {
  if (kind !== 'Brep' || value?.type !== 'brep')
    return { fault: `the definition takes an edge of it, and it is a ${kind.toLowerCase()}` }
  const curve = value.edges[index]?.curve
  const geometry = curve && encodeGeometry(curve)
  return geometry ? { geometry, value: curve } : { fault: `it has no edge ${index}` }
}
