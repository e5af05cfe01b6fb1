import type { Scene, SceneBatch, SceneSpan } from '@meadow/contract/web'
import { readValues, type ScenePart, type SceneValues } from '../../view/scene/scene-values.ts'

/** What happened to an object of the geometry. */
export type GeometryMark = 'added' | 'removed' | 'changed' | 'same'
export const GEOMETRY_MARKS = ['added', 'removed', 'changed', 'same'] as const

/** A scene with the nodes whose preview is off: their objects are seen only where they have a colour of their own. */
export interface ScenePreviewed {
  scene: Scene
  hiddenIds: ReadonlySet<string>
}

/** Which objects of two scenes are the same, are another one, or are in only one of the scenes. */
export interface SceneComparison {
  before: SceneValues
  after: SceneValues
  scenes: { before: Scene; after: Scene }
  /** The mark of each value of a scene; undefined for a value that is not seen. */
  marks: { before: (GeometryMark | undefined)[]; after: (GeometryMark | undefined)[] }
  /** The number of objects with each mark; a changed object counts once. */
  counts: Record<GeometryMark, number>
}

/** Two coordinates are equal within this fraction of the size of the scenes: numbers have 24 bits. */
const TOLERANCE = 2e-6

/** Compares two scenes object by object, by node, port, path and index. */
export function compareScenes(one: ScenePreviewed, other: ScenePreviewed): SceneComparison {
  const [before, after] = [readValues(one.scene), readValues(other.scene)]
  const [a, b] = [one.scene.origin, other.scene.origin]
  const shift = [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
  const size = Math.max(sizeOf(one.scene), sizeOf(other.scene), ...shift.map(Math.abs))
  const same = createEquality(before, after, shift, TOLERANCE * size)
  const [seenBefore, seenAfter] = [listSeen(before, one.hiddenIds), listSeen(after, other.hiddenIds)]
  const marks = {
    before: Array.from<GeometryMark | undefined>({ length: before.count }),
    after: Array.from<GeometryMark | undefined>({ length: after.count }),
  }
  const counts: Record<GeometryMark, number> = { added: 0, removed: 0, changed: 0, same: 0 }
  for (let value = 0; value < after.count; value++) {
    if (!seenAfter[value]) continue
    const found = before.find(after.describe(value))
    const last = found !== undefined && seenBefore[found] ? found : undefined
    const mark = last === undefined ? 'added' : same(last, value) ? 'same' : 'changed'
    marks.after[value] = mark
    if (last !== undefined) marks.before[last] = mark
    counts[mark]++
  }
  for (let value = 0; value < before.count; value++) {
    if (!seenBefore[value] || marks.before[value]) continue
    marks.before[value] = 'removed'
    counts.removed++
  }
  return { before, after, scenes: { before: one.scene, after: other.scene }, marks, counts }
}

function listSeen(values: SceneValues, hiddenIds: ReadonlySet<string>): boolean[] {
  const seen: boolean[] = Array.from({ length: values.count })
  for (const { nodeInstanceId, first, count } of values.ports) {
    const isHidden = hiddenIds.has(nodeInstanceId)
    for (let value = first; value < first + count; value++)
      seen[value] = !isHidden || values.colours[value] !== 0
  }
  return seen
}

function sizeOf({ boundingBox }: Scene): number {
  if (!boundingBox) return 0
  const [min, max] = boundingBox
  return Math.max(
    ...[0, 1, 2].flatMap((axis) => [max[axis]! - min[axis]!, Math.abs(min[axis]!), Math.abs(max[axis]!)]),
  )
}

/** Returns whether two objects look the same. `shift` leads from the coordinates of the first scene to the second's. */
function createEquality(
  before: SceneValues,
  after: SceneValues,
  shift: readonly number[],
  tolerance: number,
) {
  const [partsBefore, partsAfter] = [before, after].map(({ parts }) => Map.groupBy(parts, ({ port }) => port))
  const portBefore = new Map(
    before.ports.map((port) => [`${port.nodeInstanceId} ${port.portInstanceId}`, port]),
  )
  let last = after.ports[0]
  return (one: number, other: number): boolean => {
    if (before.typeOf(one) !== after.typeOf(other) || before.colours[one] !== after.colours[other])
      return false
    if (!last || other < last.first || other >= last.first + last.count)
      last = after.ports.find(({ first, count }) => other >= first && other < first + count)
    const first = last && portBefore.get(`${last.nodeInstanceId} ${last.portInstanceId}`)
    if (!last || !first) return false
    const [was, is] = [partsBefore!.get(first) ?? [], partsAfter!.get(last) ?? []]
    const roles = new Set([...was, ...is].map(({ role }) => role))
    const [numberBefore, numberAfter] = [one - first.first, other - last.first]
    return [...roles].every((role) =>
      isSamePart(
        was.find((part) => part.role === role),
        numberBefore,
        is.find((part) => part.role === role),
        numberAfter,
        shift,
        tolerance,
      ),
    )
  }
}

function isSamePart(
  was: ScenePart | undefined,
  numberBefore: number,
  is: ScenePart | undefined,
  numberAfter: number,
  shift: readonly number[],
  tolerance: number,
): boolean {
  const [from, to] = was ? [was.starts[numberBefore]!, was.starts[numberBefore + 1]!] : [0, 0]
  const [start, end] = is ? [is.starts[numberAfter]!, is.starts[numberAfter + 1]!] : [0, 0]
  if (to - from !== end - start) return false
  for (let element = 0; element < to - from; element++) {
    const [a, b] = [vertexOf(was!, from + element), vertexOf(is!, start + element)]
    for (let axis = 0; axis < 3; axis++) {
      const difference = was!.positions[a + axis]! + shift[axis]! - is!.positions[b + axis]!
      if (!(Math.abs(difference) <= tolerance)) return false
    }
  }
  return true
}

const vertexOf = ({ indices }: ScenePart, element: number): number =>
  3 * (indices ? indices[element]! : element)

/** The prefix of the ids of nodes of the older scene, so that both scenes can be in one. */
const OLD = 'before:'
export const isOld = (nodeId: string): boolean => nodeId.startsWith(OLD)
export const originalId = (nodeId: string): string => (isOld(nodeId) ? nodeId.slice(OLD.length) : nodeId)

/** The colours of marks, as `0xrrggbbaa`. What is the same, was removed, or is now another one can be seen through. */
const COLOURS: Record<GeometryMark, { before: number; after: number }> = {
  added: { before: 0, after: 0x2da44eff },
  removed: { before: 0xd1242f70, after: 0 },
  changed: { before: 0xd1242f38, after: 0xd9911eff },
  same: { before: 0, after: 0x8f9b9538 },
}

/**
 * Merges both scenes, in the colours of what happened to their objects. What is not `shown`, and what is the same in
 * the older scene, has no colour, and is to be hidden by its node.
 */
export function mergeScenes(
  { before, after, scenes, marks }: SceneComparison,
  shown: ReadonlySet<GeometryMark>,
): { scene: Scene; hiddenIds: ReadonlySet<string> } {
  const paint = (side: 'before' | 'after', values: SceneValues) =>
    Uint32Array.from({ length: values.count }, (_, value) => {
      const mark = marks[side][value]
      return mark && shown.has(mark) ? COLOURS[mark][side] : 0
    })
  const [a, b] = [scenes.before.origin, scenes.after.origin]
  const shift = [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
  const batches = [
    ...takeBatches(scenes.after, after, paint('after', after), '', [0, 0, 0]),
    ...takeBatches(scenes.before, before, paint('before', before), OLD, shift),
  ]
  return {
    scene: {
      units: scenes.after.units,
      origin: b,
      boundingBox: null,
      batches,
      skipped: scenes.before.skipped + scenes.after.skipped,
      truncated: scenes.before.truncated || scenes.after.truncated,
      floats: (span) => (span as NumbersSpan).numbers as Float32Array<ArrayBuffer>,
      integers: (span) => (span as NumbersSpan).numbers as Uint32Array<ArrayBuffer>,
    },
    hiddenIds: new Set(batches.map(({ nodeInstanceId }) => nodeInstanceId)),
  }
}

/** A span that holds its numbers. */
interface NumbersSpan extends SceneSpan {
  numbers: Float32Array | Uint32Array
}

const hold = (numbers: Float32Array | Uint32Array): NumbersSpan => ({
  offset: 0,
  length: numbers.length,
  numbers,
})

function takeBatches(
  scene: Scene,
  values: SceneValues,
  colours: Uint32Array,
  prefix: string,
  shift: readonly number[],
): SceneBatch[] {
  const ports = new Map(values.ports.map((port) => [`${port.nodeInstanceId} ${port.portInstanceId}`, port]))
  return scene.batches.map((batch) => {
    const { first, count } = ports.get(`${batch.nodeInstanceId} ${batch.portInstanceId}`)!
    const { normals, indices, types, measures, ...others } = batch
    return {
      ...others,
      nodeInstanceId: prefix + batch.nodeInstanceId,
      positions: hold(moveBy(scene.floats(batch.positions), shift)),
      ...(normals && { normals: hold(scene.floats(normals)) }),
      ...(indices && { indices: hold(scene.integers(indices)) }),
      starts: hold(scene.integers(batch.starts)),
      colours: hold(colours.slice(first, first + count)),
      ...(types && { types: hold(scene.integers(types)) }),
      ...(measures && { measures: hold(scene.floats(measures)) }),
    }
  })
}

function moveBy(positions: Float32Array, [x = 0, y = 0, z = 0]: readonly number[]): Float32Array {
  if (x === 0 && y === 0 && z === 0) return positions
  const by = [x, y, z]
  return positions.map((position, index) => position + by[index % 3]!)
}
