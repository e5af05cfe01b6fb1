import type { EncodedGeometry } from '@meadow/contract'
import { inflateZlib } from '@meadow/inflate'

/*
 * Rhino writes the same geometry with other bytes at each save: its own version, compressed buffers of meshes, the meshes
 * that it draws breps with, and counters in user data. Geometry is compared without these.
 */

/** Type codes of openNURBS. Source: opennurbs_3dm.h. */
const CODE = {
  class: 0x00027ffa,
  classId: 0x0002fffb,
  classData: 0x0002fffc,
  userData: 0x00027ffd,
  userDataHeader: 0x0002fff9,
  anonymous: 0x40008000,
} as const

const CODES: ReadonlySet<number> = new Set(Object.values(CODE))

/** Rhino's own classes, whose data is that of the openNURBS class. Source: `ON_BinaryArchive::ReadObject`. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ['1911af5e510bd411bffe0010830122f0', 'ddd4d74e47e9d311bfe50010830122f0'],
  ['17c86047e30bd411bffe0010830122f0', 'ded4d74e47e9d311bfe50010830122f0'],
  ['43c26ff02aa308469dd8a7d2c4ce2a36', 'c5dbb56060e6d311bfe40010830122f0'],
  ['b601840a344d994b86151b4e723dc4e5', 'd32062a13b16d41180000010830122f0'],
  ['31635f66662ace4c81d0b5eebd9b5417', '5953cdc46d4490469ff529059732472b'],
])

/** The ids of classes whose data is looked into, as bytes in hexadecimal. */
const CLASS = {
  nurbsCurve: 'ddd4d74e47e9d311bfe50010830122f0',
  nurbsSurface: 'ded4d74e47e9d311bfe50010830122f0',
  brep: 'c5dbb56060e6d311bfe40010830122f0',
  mesh: 'e4d4d74e47e9d311bfe50010830122f0',
} as const

/** The limit of nested chunks, which no object that is written by Rhino reaches. */
const MAX_DEPTH = 64
/** The limit of the inflated bytes of one object. */
const MAX_BYTES = 256 * 2 ** 20

/** Whether two openNURBS objects are the same geometry, whichever version of Rhino wrote them. */
export function sameGeometry(a: EncodedGeometry, b: EncodedGeometry): boolean {
  if (a.data === b.data && sizeOfLengths(a) === sizeOfLengths(b)) return true
  const [one, other] = [normalizeGeometry(a), normalizeGeometry(b)]
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** The bytes of an openNURBS object without what depends on the writer: lengths, checksums, compression, caches. */
export function normalizeGeometry(geometry: EncodedGeometry): Uint8Array {
  const walker = new Normalizer(decodeBase64(geometry.data), sizeOfLengths(geometry))
  return walker.normalize()
}

/** Archives have lengths of eight bytes from version 50 on. */
const sizeOfLengths = ({ archive3dm }: EncodedGeometry): 4 | 8 => (archive3dm >= 50 ? 8 : 4)

interface Chunk {
  code: number
  bodyStart: number
  bodyEnd: number
  end: number
}

class Normalizer {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #lengthSize: 4 | 8
  readonly #pieces: Uint8Array[] = []
  #bytesLeft = MAX_BYTES

  constructor(bytes: Uint8Array, lengthSize: 4 | 8) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#lengthSize = lengthSize
  }

  normalize(): Uint8Array {
    this.#write(0, this.#bytes.length, 0)
    const all = new Uint8Array(this.#pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of this.#pieces) {
      all.set(piece, at)
      at += piece.length
    }
    return all
  }

  /** Values and chunks follow each other without a mark, so a chunk is found by its code and a length that fits. */
  #write(start: number, end: number, depth: number): void {
    let from = start
    for (let at = start; at + 4 + this.#lengthSize <= end; ) {
      const chunk = depth < MAX_DEPTH ? this.#findChunk(at, end) : undefined
      if (!chunk) {
        at++
        continue
      }
      // The code of a chunk is kept, its length and its checksum are not.
      this.#keep(from, at + 4)
      this.#writeChunk(chunk, depth + 1)
      at = chunk.end
      from = at
    }
    this.#keep(from, end)
  }

  #keep(from: number, to: number): void {
    if (to > from) this.#pieces.push(this.#bytes.subarray(from, to))
  }

  #findChunk(at: number, end: number): Chunk | undefined {
    const code = this.#view.getUint32(at, true)
    if (!CODES.has(code)) return undefined
    const bodyStart = at + 4 + this.#lengthSize
    if (this.#lengthSize === 8 && this.#view.getUint32(at + 8, true) !== 0) return undefined
    const chunkEnd = bodyStart + this.#view.getUint32(at + 4, true)
    const bodyEnd = (code & 0x8000) === 0 ? chunkEnd : chunkEnd - 4
    return chunkEnd <= end && bodyEnd >= bodyStart ? { code, bodyStart, bodyEnd, end: chunkEnd } : undefined
  }

  #writeChunk({ code, bodyStart, bodyEnd }: Chunk, depth: number): void {
    const inflated = code === CODE.anonymous ? this.#inflate(bodyStart, bodyEnd) : undefined
    if (inflated) this.#pieces.push(inflated)
    else if (code === CODE.userDataHeader) this.#writeHeader(bodyStart, bodyEnd)
    else if (code === CODE.class) this.#writeObject(bodyStart, bodyEnd, depth)
    else this.#write(bodyStart, bodyEnd, depth)
  }

  /** Buffers of meshes are zlib streams with a checksum of their own. */
  #inflate(start: number, end: number): Uint8Array | undefined {
    if (this.#bytes[start] !== 0x78) return undefined
    const packed = this.#bytes.subarray(start, end)
    const inflated = inflateZlib(packed, this.#bytesLeft)
    if (inflated.end !== 'whole' || inflated.packedBytes !== packed.length) return undefined
    this.#bytesLeft -= inflated.bytes.length
    return inflated.bytes
  }

  /** Writes a header: two ids, how often the data was copied, a matrix, the id of the application, and versions. */
  #writeHeader(start: number, end: number): void {
    this.#keep(start, Math.min(end, start + 32))
    this.#keep(Math.min(end, start + 36), Math.min(end, start + 36 + 128 + 16))
  }

  /** Writes an object: the id of its class, its data, user data, and an end. */
  #writeObject(start: number, end: number, depth: number): void {
    const id = this.#findChunk(start, end)
    const data = id && id.end + 4 + this.#lengthSize <= end ? this.#findChunk(id.end, end) : undefined
    if (id?.code !== CODE.classId || id.bodyEnd - id.bodyStart !== 16 || data?.code !== CODE.classData)
      this.#write(start, end, depth)
    else this.#writeParts(id, data, end, depth)
  }

  #writeParts(id: Chunk, data: Chunk, end: number, depth: number): void {
    const written = toHex(this.#bytes.subarray(id.bodyStart, id.bodyEnd))
    const classId = TWINS.get(written) ?? written
    this.#pieces.push(new TextEncoder().encode(classId))
    this.#writeData(classId, data.bodyStart, data.bodyEnd, depth)
    // The end chunk follows without its length, whose size differs between archives.
    this.#write(data.end, Math.max(data.end, end - this.#lengthSize), depth)
  }

  #writeData(classId: string, start: number, end: number, depth: number): void {
    const version = this.#bytes[start] ?? 0
    const isThird = version >> 4 === 3
    if (classId === CLASS.nurbsCurve || classId === CLASS.nurbsSurface) {
      // Version 1.1 ends with a byte more, which is 0 unless the shape is a part of a subdivision surface.
      const isLater = version === 0x11 && this.#bytes[end - 1] === 0
      this.#write(start + (isLater || version === 0x10 ? 1 : 0), isLater ? end - 1 : end, depth)
    } else if (classId === CLASS.brep && isThird && (version & 15) <= 3) {
      // A box, meshes for drawing, whether it is solid, and regions follow the eight chunks: all of them are derived.
      const to = this.#skipChunks(start + 1, end, 8)
      this.#write(to === undefined ? start : start + 1, to ?? end, depth)
    } else if (classId === CLASS.mesh && isThird) this.#writeMesh(start + 1, end, depth)
    else this.#write(start, end, depth)
  }

  /** Source: `ON_Mesh::Write`. */
  #writeMesh(start: number, end: number, depth: number): void {
    // Two counts, domains and a scale are kept; boxes and whether the mesh is closed are derived.
    const boxes = start + 8 + 80
    let at: number | undefined = boxes + 64 + 4
    // How the mesh was made, and statistics of its curvature: each follows a byte that says whether it is there.
    for (let i = 0; i < 5 && at !== undefined; i++)
      at = this.#bytes[at] === 0 ? at + 1 : this.#skipChunks(at + 1, end, 1)
    const isWhole = at !== undefined && at + 4 <= end
    const size = isWhole ? this.#view.getUint32(at!, true) * this.#view.getUint32(start + 4, true) : 0
    if (!isWhole || at! + 4 + 4 * size > end) {
      this.#write(start, end, depth)
      return
    }
    this.#keep(start, boxes)
    this.#keep(at!, at! + 4 + 4 * size)
    at! += 4 + 4 * size
    // The buffers hold vertices, normals, texture coordinates, curvatures and colours.
    for (let i = 0; i < 5; i++) at = this.#writeBuffer(at!, end)
    this.#write(at!, end, depth)
  }

  /** Writes a buffer: its size, a checksum, whether it is compressed, and the bytes. Returns the offset behind it. */
  #writeBuffer(start: number, end: number): number {
    if (start + 9 > end) return start
    const size = this.#view.getUint32(start, true)
    this.#keep(start, start + 4)
    if (size === 0) return start + 4
    const from = start + 9
    const chunk = this.#bytes[start + 8] === 1 && from + 12 <= end ? this.#findChunk(from, end) : undefined
    const inflated = chunk && this.#inflate(chunk.bodyStart, chunk.bodyEnd)
    if (chunk && inflated) {
      this.#pieces.push(inflated)
      return chunk.end
    }
    const to = Math.min(end, from + size)
    this.#keep(from, to)
    return to
  }

  /** Returns the offset behind `count` anonymous chunks; undefined if they are not there. */
  #skipChunks(start: number, end: number, count: number): number | undefined {
    let at = start
    for (let i = 0; i < count; i++) {
      const chunk = at + 4 + this.#lengthSize <= end ? this.#findChunk(at, end) : undefined
      if (chunk?.code !== CODE.anonymous) return undefined
      at = chunk.end
    }
    return at
  }
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Node decodes much faster than browsers, which have no `Buffer`. Invalid text gives no bytes. */
function decodeBase64(data: string): Uint8Array {
  if (typeof Buffer !== 'undefined') return Buffer.from(data, 'base64')
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
