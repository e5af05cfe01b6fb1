import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { deflateSync, inflateSync } from 'node:zlib'
import type { EncodedGeometry } from '@meadow/contract'
import { sameGeometry } from '@meadow/document'
import fc from 'fast-check'
import { readDefinition } from '../../../grasshopper/src/index.ts'
import { BENT, box, net, plateWithHole, SADDLE } from '../testing/geometries.ts'
import { mutate } from '../testing/mutate.ts'
import { decode, encode, rhino } from '../testing/rhino.ts'
import { skipWithoutSamples } from '../testing/samples.ts'
import { decodeGeometry } from './decode-geometry.ts'
import { encodeGeometry } from './encode-geometry.ts'

const SAMPLES = join(import.meta.dirname, '../../../../../shared/samples')

/** Reading all of them takes too long for a test. */
const MAX_FILE = 100_000

const MESH = encodeGeometry(net(12))!

const BUILT = [
  ...[BENT, box(1, 2, 3), plateWithHole(), SADDLE, net(3)].map((one) => encodeGeometry(one)!),
  MESH,
  encode(new rhino.Sphere([0, 0, 0] as never, 2).toBrep()),
]

/** The object as Rhino 8 writes it, whoever wrote it before. */
const writeAnew = (geometry: EncodedGeometry): EncodedGeometry => {
  const object = decode(geometry)
  const written = encode(object as never)
  object.delete()
  return { ...written, opennurbs: geometry.opennurbs + 8 }
}

/** The bytes of a zlib stream in an anonymous chunk: its code, a length of eight bytes, the stream, a checksum. */
const STREAM = Buffer.from('00800040', 'hex')

/** The same mesh with its buffers compressed at another level, and the lengths around them put right. */
function compressAnew(geometry: EncodedGeometry): EncodedGeometry {
  let bytes = Buffer.from(geometry.data, 'base64')
  for (let at = bytes.indexOf(STREAM); at >= 0; at = bytes.indexOf(STREAM, at + 4)) {
    if (bytes[at + 12] !== 0x78) continue
    const length = bytes.readUInt32LE(at + 4)
    const packed = deflateSync(inflateSync(bytes.subarray(at + 12, at + 8 + length)), { level: 0 })
    const grown = packed.length + 4 - length
    const start = Buffer.from(bytes.subarray(0, at + 12))
    start.writeUInt32LE(packed.length + 4, at + 4)
    // The object, its data behind the id of its class, and chunks around the buffer.
    const around = [0, 12 + 32]
    for (let p = start.indexOf(STREAM); p >= 0 && p < at; p = start.indexOf(STREAM, p + 4))
      if (p + 12 + start.readUInt32LE(p + 4) > at) around.push(p)
    for (const outer of around) start.writeUInt32LE(start.readUInt32LE(outer + 4) + grown, outer + 4)
    bytes = Buffer.concat([start, packed, bytes.subarray(at + 8 + length)])
  }
  return { ...geometry, data: bytes.toString('base64') }
}

test('[MOD-34] given objects, when Rhino writes them anew with its own stamps, forms and compression, then they are the same', () => {
  for (const geometry of BUILT) {
    const anew = writeAnew(geometry)
    assert.notDeepEqual(anew, geometry)
    assert.ok(sameGeometry(writeAnew(anew), anew))
    if (decodeGeometry(geometry)?.type !== 'mesh') assert.ok(sameGeometry(geometry, anew))
  }
  const mesh = writeAnew(MESH)
  const other = compressAnew(mesh)
  assert.notEqual(other.data, mesh.data)
  assert.deepEqual(decodeGeometry(other), decodeGeometry(mesh))
  assert.ok(sameGeometry(mesh, other))
})

test('[MOD-34] given two different objects, when compared, then they are not the same', () => {
  for (const [at, one] of BUILT.entries())
    for (const other of BUILT.slice(at + 1)) assert.equal(sameGeometry(one, other), false)
})

test('[MOD-34] given random changes of bytes that give another geometry, when compared, then it is another one', () => {
  fc.assert(
    fc.property(fc.constantFrom(...BUILT), fc.infiniteStream(fc.nat()), (geometry, numbers) => {
      const data = mutate(Buffer.from(geometry.data, 'base64'), numbers).toString('base64')
      const changed = { ...geometry, data }
      const [before, after] = [decodeGeometry(geometry), decodeGeometry(changed)]
      if (!isDeepStrictEqual(after, before)) assert.equal(sameGeometry(geometry, changed), false)
    }),
    { numRuns: 100 },
  )
})

test('[MOD-34] given the geometry of real definitions, when Rhino writes it anew, then it is the same', {
  skip: skipWithoutSamples,
}, () => {
  const counts = new Map<string, number>()
  for (const path of globSync('**/*.{gh,ghx}', { cwd: SAMPLES }).sort()) {
    const file = readFileSync(join(SAMPLES, path))
    if (file.length > MAX_FILE) continue
    for (const { kind, geometry } of listGeometry(file)) {
      const count = counts.get(kind) ?? 0
      if (count >= 4) continue
      counts.set(kind, count + 1)
      assert.ok(sameGeometry(geometry, writeAnew(geometry)), `${kind} of ${path}`)
    }
  }
  assert.ok(counts.size > 0, [...counts.keys()].join())
})

function* listGeometry(file: Uint8Array): Generator<{ kind: string; geometry: EncodedGeometry }> {
  const { nodes } = readDefinition(file).content
  for (const { values } of Object.values(nodes))
    for (const { branches } of Object.values(values))
      for (const value of branches.flatMap((branch) => branch.values)) {
        if (!value?.geometry || value.geometry.data.length > 100_000) continue
        const { description } = value.value as { description: string }
        // Archives of Rhino 4 have objects of plug-ins with lengths of their own.
        if (value.geometry.archive3dm >= 50)
          yield { kind: `${description} ${value.geometry.archive3dm}`, geometry: value.geometry }
      }
}
