import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { folderOf, readBlobsLocation, withoutKeys, writeBlobsLocation } from './open-blobs.ts'
import { addressOf, type S3Access, type S3Location } from './s3/location.ts'

const ACCESS: S3Access = {
  keys: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'hush-hush' },
  spoolFolder: '/var/lib/meadow/spool',
}

const read = (text: string) => readBlobsLocation(text, ACCESS)

test('[BLB-8] given the address of a folder, when it is read and written, then it is the same place', () => {
  const folder = join(tmpdir(), 'a folder', 'blöbs')
  const address = pathToFileURL(folder).href
  assert.deepEqual(read(address), { kind: 'disk', folder })
  assert.deepEqual(read(`${address}/`), { kind: 'disk', folder })
  assert.equal(writeBlobsLocation({ kind: 'disk', folder }), address)
})

test('[BLB-8] given the address of a bucket, when it is read, then objects are where the store expects them, and written it has no key', () => {
  const addresses: [text: string, object: string][] = [
    ['s3://files?region=eu-central-1', 'https://files.s3.eu-central-1.amazonaws.com/x'],
    [
      's3://files.of.us/team/a/?region=eu-central-1',
      'https://s3.eu-central-1.amazonaws.com/files.of.us/team/a/x',
    ],
    [
      's3://files?endpoint=https://abc.r2.cloudflarestorage.com&region=auto',
      'https://abc.r2.cloudflarestorage.com/files/x',
    ],
    ['s3://files/meadow?endpoint=http://10.0.0.7:9000/', 'http://10.0.0.7:9000/files/meadow/x'],
    ['s3://files?endpoint=https://store.example.org/s3&style=path', 'https://store.example.org/s3/files/x'],
    [
      's3://files?endpoint=https://store.example.org:8443&style=host',
      'https://files.store.example.org:8443/x',
    ],
  ]
  for (const [text, object] of addresses) {
    const location = read(text) as S3Location & S3Access
    assert.equal(addressOf(location, `${location.prefix}x`).href, object, text)
    assert.deepEqual(location.keys, ACCESS.keys)
    const written = writeBlobsLocation(location)
    assert.doesNotMatch(written, /hush|AKID/)
    assert.deepEqual(read(written), location)
    assert.equal(writeBlobsLocation(read(written)!), written)
    assert.doesNotMatch(JSON.stringify(withoutKeys(location)), /hush|AKID/)
    assert.equal(folderOf(location), '/var/lib/meadow/spool')
  }
})

test('[BLB-8] given an address that names no place, or holds a key, when it is read, then it is none', () => {
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
    's3://',
    // A bucket of AWS is in a region.
    's3://files',
    's3://files?region=eu central',
    's3://AKID:hush@files?region=eu-1',
    's3://files?region=eu-1&key=hush',
    's3://files?endpoint=https://AKID:hush@store.example.org',
    's3://files?endpoint=ftp://store.example.org',
    's3://files?endpoint=https://store.example.org?a=b',
    's3://files/a//b?region=eu-1',
    's3://files/a%20b?region=eu-1',
    's3://files?region=eu-1&style=virtual',
  ]) {
    assert.equal(read(text), undefined, text)
  }
})
