import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { decode, encode } from 'fast-png'
import { comparePicture } from './compare-picture.ts'

const stored = readFileSync(fileURLToPath(new URL('pictures/sign-in.png', import.meta.url)))

/** The stored picture with a black square of this side, in pixels. */
function drawSquare(side: number): Buffer {
  const picture = decode(stored)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side * picture.channels; x++)
      picture.data[y * picture.width * picture.channels + x] = 0
  return Buffer.from(encode(picture))
}

test('[WEB-73] given a screenshot, when a patch of it differs from the stored picture, then the test names the screenshot and the difference', async (t) => {
  assert.equal(await comparePicture('sign-in', stored), undefined)
  assert.equal(await comparePicture('sign-in', drawSquare(12)), undefined)
  const complaint = await comparePicture('sign-in', drawSquare(40))
  assert.match(complaint!, /^The picture sign-in differs from the stored one \(1600 pixels\): see /)
  const [, actual] = /see (\S+\.png) /.exec(complaint!)!
  t.after(() => rm(dirname(actual!), { recursive: true }))
  assert.ok(existsSync(actual!.replace('.png', '-difference.png')))
  assert.match((await comparePicture('no-such-page', stored))!, /it is not stored/)
})
