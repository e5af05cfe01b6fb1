import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Geometry } from '@meadow/geometry/values/value'
import { decodeGeometry } from '../geometry/decode-geometry.ts'
import { BENT, net, plateWithHole, SADDLE } from '../testing/geometries.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { readModelGeometry } from './read-model-geometry.ts'
import { toLocationKey } from './value-location.ts'

const GEOMETRIES: Geometry[] = [SADDLE, plateWithHole(), net(12)]

async function writeModel(geometries = GEOMETRIES) {
  await using library = openModelLibrary()
  const values = toValues(geometries)
  const { bytes, sha256, objectCount } = await library.write(values, OPTIONS)
  return { values, bytes, expected: { sha256, length: bytes.length, objectCount } }
}

async function writeFileOf(t: TestContext, bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-model-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'model.3dm')
  await writeFile(path, bytes)
  return path
}

test('[MOD-40] given a model, of bytes or in a file, when its geometry is read, then each by what it was computed for', async (t) => {
  const { values, bytes, expected } = await writeModel()
  for (const model of [bytes, await writeFileOf(t, bytes)]) {
    const read = await readModelGeometry(model, expected)
    assert.ok('geometry' in read)
    assert.equal(read.geometry.size, values.length)
    for (const value of values) {
      const { nodeInstanceId, portInstanceId, path, index } = value
      const encoded = read.geometry.get(toLocationKey({ nodeInstanceId, portInstanceId, path, index }))
      assert.deepEqual(encoded && decodeGeometry(encoded), value.value)
    }
  }
})

test('[MOD-40] given a group in a model, when geometry is read, then its members are not taken for the value', async () => {
  const { bytes, expected } = await writeModel([{ type: 'group', members: [BENT, SADDLE] }, SADDLE])
  const read = await readModelGeometry(bytes, expected)
  assert.equal('geometry' in read && read.geometry.size, 1)
})

test('[MOD-41] given a file that is missing, cut off, changed or garbage, when geometry is read, then the reason', async (t) => {
  const { bytes, expected } = await writeModel()
  const changed = Uint8Array.from(bytes)
  changed[bytes.length >> 1]! ^= 1
  const garbage = Buffer.alloc(bytes.length, 7)
  const cases: [string | Uint8Array, RegExp][] = [
    [join(tmpdir(), 'no-such-folder', 'model.3dm'), /no such file/],
    [tmpdir(), /cannot be read/],
    [bytes.subarray(0, -1), /bytes, not/],
    [await writeFileOf(t, new Uint8Array()), /0 bytes, not/],
    [changed, /not those that were written/],
    [garbage, /not those that were written/],
  ]
  for (const [model, reason] of cases) {
    const read = await readModelGeometry(model, expected)
    assert.ok('reason' in read)
    assert.match(read.reason, reason)
  }
})

test('[MOD-41] given notes that fit a file that is invalid, when geometry is read, then the reason', async () => {
  const { bytes, expected } = await writeModel()
  const more = await readModelGeometry(bytes, { ...expected, objectCount: expected.objectCount + 1 })
  assert.ok('reason' in more && /objects, not/.test(more.reason))
  const nothing = {
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    length: 0,
    objectCount: 0,
  }
  const empty = await readModelGeometry(new Uint8Array(), nothing)
  assert.ok('reason' in empty && /not a .3dm file/.test(empty.reason))
})
