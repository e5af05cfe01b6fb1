import {
  COMPACT_HEADER_AT,
  COMPACT_MAGIC,
  type CompactBatch,
  type CompactHeader,
  type CompactStream,
  computeFaceNormal,
  predictNumber,
  type Scene,
  type SceneBatch,
  type SceneSpan,
} from '@meadow/contract/web/terms'

/**
 * The maximum number of steps of the grid along the longest side of the drawing: on a building of 160 m, they round by
 * at most 2 mm.
 */
const MAX_STEPS = 2 ** 16
/** The widest row of a grid that predictions consider. */
const MAX_LAG = 64
/** The number of values of a stream by which its lag is chosen. */
const TRIED = 4000

/**
 * Returns the bytes of a compact scene (`compact-scene.ts` of the contract) for the player: the geometry of a scene that is
 * visible at first, and no ids. It leaves out isocurves, and the nodes in `hiddenIds`, whose preview is off, unless they have a
 * colour of their own.
 */
export const writePlayerScene = (scene: Scene, hiddenIds: ReadonlySet<string>): Uint8Array<ArrayBuffer> =>
  writeCompactScene(
    scene,
    scene.batches.filter(
      ({ nodeInstanceId, colours, role }) =>
        role !== 'isocurve' && (colours !== undefined || !hiddenIds.has(nodeInstanceId)),
    ),
    false,
  )

/** Returns the bytes of a compact scene with everything in it, and what its values are. */
export const writeSightScene = (scene: Scene): Uint8Array<ArrayBuffer> =>
  writeCompactScene(scene, scene.batches, true)

function writeCompactScene(
  scene: Scene,
  shown: readonly SceneBatch[],
  hasValues: boolean,
): Uint8Array<ArrayBuffer> {
  const { grid, boundingBox } = findGrid(scene, shown)
  const streams: CompactStream[] = []
  const planes: Uint8Array[] = []
  const add = (values: Int32Array): number => {
    const { stream, bytes } = writeStream(values)
    planes.push(bytes)
    return streams.push(stream) - 1
  }
  const addIntegers = (span: SceneSpan) => add(Int32Array.from(scene.integers(span)))
  const describeValues = ({ nodeInstanceId, portInstanceId, branches, types, measures }: SceneBatch) => ({
    ...{ nodeInstanceId, portInstanceId, branches },
    ...(types && { types: addIntegers(types) }),
    ...(measures && { measures: addIntegers(measures) }),
  })
  const ports = new Map<string, number>()
  const numberOf = ({ nodeInstanceId, portInstanceId }: SceneBatch): number => {
    const key = `${nodeInstanceId} ${portInstanceId}`
    const number = ports.get(key) ?? ports.size
    ports.set(key, number)
    return number
  }
  const batches = shown.map((batch): CompactBatch => {
    const { kind, role, indices, colours } = batch
    return {
      ...{ kind, role, port: numberOf(batch) },
      positions: [0, 1, 2].map((axis) => add(roundAxis(scene, batch, axis, grid))) as [
        number,
        number,
        number,
      ],
      starts: addIntegers(batch.starts),
      ...(indices && { indices: add(turnFaces(scene, batch, indices)) }),
      ...(colours && { colours: addIntegers(colours) }),
      ...(hasValues && { values: describeValues(batch) }),
    }
  })
  const { units, origin, skipped, truncated } = scene
  const header: CompactHeader = { units, origin, boundingBox, skipped, truncated, batches, grid, streams }
  return join(new TextEncoder().encode(JSON.stringify(header)), planes)
}

/** Finds the extent of what is shown, and a grid for it whose step is a power of two, so that round numbers stay round. */
function findGrid(scene: Scene, batches: readonly SceneBatch[]): Pick<CompactHeader, 'boundingBox' | 'grid'> {
  const min = [Infinity, Infinity, Infinity]
  const max = [-Infinity, -Infinity, -Infinity]
  for (const { positions } of batches) {
    for (const [i, value] of scene.floats(positions).entries()) {
      if (value < min[i % 3]!) min[i % 3] = value
      if (value > max[i % 3]!) max[i % 3] = value
    }
  }
  const longest = Math.max(...max.map((value, axis) => value - min[axis]!))
  const step = longest > 0 ? 2 ** Math.ceil(Math.log2(longest / MAX_STEPS)) : 1
  const origin = min.map((value) => (Number.isFinite(value) ? Math.floor(value / step) * step : 0))
  const isEmpty = min.includes(Infinity)
  return {
    boundingBox: isEmpty ? null : ([min, max] as CompactHeader['boundingBox']),
    grid: { origin: origin as [number, number, number], step },
  }
}

function roundAxis(
  scene: Scene,
  { positions }: SceneBatch,
  axis: number,
  { origin, step }: CompactHeader['grid'],
): Int32Array {
  const all = scene.floats(positions)
  const values = new Int32Array(all.length / 3)
  for (let i = 0; i < values.length; i++) values[i] = Math.round((all[3 * i + axis]! - origin[axis]!) / step)
  return values
}

/**
 * Returns the corners of faces in the order in which the normals that the reader computes are on the same side as the
 * drawn ones.
 */
function turnFaces(scene: Scene, { kind, positions, normals }: SceneBatch, indices: SceneSpan): Int32Array {
  const corners = Int32Array.from(scene.integers(indices))
  if (kind !== 'triangles' || !normals) return corners
  const [points, drawn] = [scene.floats(positions), scene.floats(normals)]
  for (let i = 0; i < corners.length; i += 3) {
    const [a, b, c] = [3 * corners[i]!, 3 * corners[i + 1]!, 3 * corners[i + 2]!]
    const [x, y, z] = computeFaceNormal(points, [a, b, c])
    if (x * drawn[a]! + y * drawn[a + 1]! + z * drawn[a + 2]! >= 0) continue
    corners[i + 1] = c / 3
    corners[i + 2] = b / 3
  }
  return corners
}

function writeStream(values: Int32Array): { stream: CompactStream; bytes: Uint8Array } {
  const lag = findLag(values)
  const left = new Uint32Array(values.length)
  let all = 0
  for (let i = 0; i < values.length; i++) {
    const difference = (values[i]! - predictNumber(values, i, lag)) | 0
    left[i] = (difference << 1) ^ (difference >> 31)
    all |= left[i]!
  }
  const width = Math.ceil((32 - Math.clz32(all)) / 8)
  const bytes = new Uint8Array(width * values.length)
  for (let byte = 0; byte < width; byte++) {
    for (let i = 0; i < values.length; i++) bytes[byte * values.length + i] = left[i]! >>> (8 * byte)
  }
  return { stream: { length: values.length, lag, bytes: width }, bytes }
}

/** Returns the lag with which the predictions of the first numbers are best. */
function findLag(values: Int32Array): number {
  const tried = values.subarray(0, TRIED)
  let best = { lag: 1, size: Number.POSITIVE_INFINITY }
  for (let lag = 1; lag <= MAX_LAG; lag++) {
    let size = 0
    for (let i = 0; i < tried.length; i++)
      size += 32 - Math.clz32(Math.abs((tried[i]! - predictNumber(tried, i, lag)) | 0))
    if (size < best.size) best = { lag, size }
  }
  return best.lag
}

function join(header: Uint8Array, planes: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const parts = [header, ...planes]
  const bytes = new Uint8Array(COMPACT_HEADER_AT + parts.reduce((sum, { length }) => sum + length, 0))
  new TextEncoder().encodeInto(COMPACT_MAGIC, bytes)
  new DataView(bytes.buffer).setUint32(4, header.length, true)
  let at = COMPACT_HEADER_AT
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
