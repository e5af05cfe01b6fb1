import { createHash } from 'node:crypto'
import type { EncodedGeometry } from '@meadow/contract'
import type { Geometry } from '@meadow/geometry/values/value'
import type { ModelOptions, ModelValue, ValueRemark, WrittenModel } from '../file/model-input.ts'
import { type ModelPlan, planObjects, toRemark } from '../file/plan-objects.ts'
import { readSavedAt, stampModel } from '../file/stamp-model.ts'
import { decodeGeometry } from '../geometry/decode-geometry.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { askForEach } from './ask-for-each.ts'
import { openLibraryWorker } from './library-worker.ts'
import type { BoundingBox, Remark, Sketch } from './requests.ts'

/** Real objects take milliseconds; some damaged ones take minutes. */
const READ_DEADLINE_MS = 10_000
const WRITE_DEADLINE_MS = 120_000

/** The operations on openNURBS objects that require rhino3dm. They run in a worker, one at a time. */
export interface ModelLibrary extends AsyncDisposable {
  /**
   * The bounding box of each object in the document's unit; null where it has none or cannot be read. An object
   * that crashes the library or exceeds the deadline does not affect the others.
   */
  measure(geometries: readonly EncodedGeometry[]): Promise<(BoundingBox | null)[]>
  /** Each object as a value of a graph, as `decodeGeometry` returns it; also supports extrusions. */
  decode(geometries: readonly EncodedGeometry[]): Promise<(Geometry | undefined)[]>
  /** What can be shown of each object that `decode` does not support; null for others than SubDs and texts. */
  sketch(geometries: readonly EncodedGeometry[]): Promise<(Sketch | null)[]>
  /**
   * Writes values to a .3dm file: a layer for each node, an object for each value, with ids and user strings
   * that identify the value. Equal input gives equal bytes.
   * Fails: `ModelFault` when the library throws, crashes or exceeds its deadline, or writes another number of
   * objects.
   */
  write(values: readonly ModelValue[], options: ModelOptions): Promise<WrittenModel>
  /**
   * Converts a model file written here to another archive version: the same objects, layers, ids and dates.
   * Equal input gives equal bytes. `model` is transferred to the worker and cannot be used afterwards.
   * Fails: `ModelFault` like `write`, and for other files or another number of objects.
   */
  convert(model: Uint8Array<ArrayBuffer>, target: ConvertTarget): Promise<Uint8Array<ArrayBuffer>>
}

export interface ConvertTarget {
  archiveVersion: ModelOptions['archiveVersion']
  /** The number of objects in the file. */
  objectCount: number
}

/** @param deadlineMs replaces the default deadlines */
export function openModelLibrary(deadlineMs?: number): ModelLibrary {
  const worker = openLibraryWorker()

  const askEach = <N extends 'measure' | 'simplify' | 'sketch'>(
    name: N,
    geometries: readonly EncodedGeometry[],
  ) => askForEach(worker, name, geometries, deadlineMs ?? READ_DEADLINE_MS)

  /** Opaque objects come from outside: none of them must break the whole file. */
  async function findUnreadable(values: readonly ModelValue[]): Promise<Set<number>> {
    const foreign = values.flatMap(({ value }, at) =>
      value.type === 'opaque' && value.wire.geometry ? [{ at, geometry: value.wire.geometry }] : [],
    )
    const boxes = await askEach(
      'measure',
      foreign.map(({ geometry }) => geometry),
    )
    return new Set(foreign.flatMap(({ at }, i) => (boxes[i] ? [] : [at])))
  }

  return {
    measure: (geometries) => askEach('measure', geometries),
    sketch: (geometries) => askEach('sketch', geometries),
    async decode(geometries) {
      const values = geometries.map(decodeGeometry)
      const rest = geometries.flatMap((geometry, at) => (values[at] ? [] : [{ geometry, at }]))
      const simple = await askEach(
        'simplify',
        rest.map(({ geometry }) => geometry),
      )
      rest.forEach(({ at }, i) => {
        const geometry = simple[i]
        values[at] = geometry ? decodeGeometry(geometry) : undefined
      })
      return values
    },
    async write(values, options) {
      const plan = planObjects(values, options, await findUnreadable(values))
      const draft = await worker.ask('write', { plan, options }, deadlineMs ?? WRITE_DEADLINE_MS)
      const objectCount = stampModel(draft.bytes, options.savedAt)
      if (objectCount !== plan.objects.length - draft.unsupported.length) {
        throw new ModelFault(`${objectCount} objects were written of ${plan.objects.length}`)
      }
      return {
        bytes: draft.bytes,
        sha256: createHash('sha256').update(draft.bytes).digest('hex'),
        objectCount,
        unsupported: [
          ...plan.unsupported,
          ...draft.unsupported.map((remark) => remarkOn(remark, plan, values)),
        ],
        invalid: draft.invalid.map((remark) => remarkOn(remark, plan, values)),
      }
    },
    async convert(model, { archiveVersion, objectCount }) {
      const savedAt = readSavedAt(model)
      const asked = { bytes: model, archiveVersion }
      const converted = await worker.ask('convert', asked, deadlineMs ?? WRITE_DEADLINE_MS)
      const count = stampModel(converted, savedAt)
      if (count !== objectCount) throw new ModelFault(`${count} objects were written of ${objectCount}`)
      return converted
    },
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}

function remarkOn({ objectAt, reason }: Remark, plan: ModelPlan, values: readonly ModelValue[]): ValueRemark {
  return toRemark(values[plan.objects[objectAt]!.valueAt]!, reason)
}

/** Measures the bounding boxes of openNURBS objects, which requires the library. */
export type GeometryMeasurer = Pick<ModelLibrary, 'measure' | typeof Symbol.asyncDispose>

/** Starts the library on first use, in a worker that is ended on errors. */
export function openGeometryMeasurer(deadlineMs?: number): GeometryMeasurer {
  return openModelLibrary(deadlineMs)
}
