import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readBlobsLocation, writeBlobsLocation } from './open-blobs.ts'

test('given the address of a folder, when it is read and written, then it is the same place', () => {
  const folder = join(tmpdir(), 'a folder', 'blöbs')
  const address = pathToFileURL(folder).href
  assert.deepEqual(readBlobsLocation(address), { kind: 'disk', folder })
  assert.deepEqual(readBlobsLocation(`${address}/`), { kind: 'disk', folder })
  assert.equal(writeBlobsLocation({ kind: 'disk', folder }), address)
})

test('given an address that names no folder of this machine, when it is read, then it is none', () => {
  for (const text of [
    '',
    'blobs',
    '/srv/blobs',
    'http://example.org/blobs',
    'file://another-machine/blobs',
    'file:///srv/blobs?a=b',
    'file:///srv/blobs#a',
    'file:///srv/%00',
    'file:///srv/a%2Fb',
  ]) {
    assert.equal(readBlobsLocation(text), undefined, text)
  }
})
