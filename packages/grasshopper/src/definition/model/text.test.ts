import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildChunk, buildItem } from '../../testing/build-archive.ts'
import { findText } from './text.ts'

test('[GHD-25] given a lone surrogate, when text is read, then it is well-formed', () => {
  const chunk = buildChunk('Any', [buildItem('string', 'Name', 'a\ud800b')])
  assert.equal(findText(chunk, 'Name'), 'a\ufffdb')
})
