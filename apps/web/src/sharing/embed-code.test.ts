import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMBED_PANES, EMBED_SIZES, embedUrl, readEmbedPanes, writeEmbedCode } from './embed-code.ts'

const DOCUMENT = { address: 'https://meadow.example.org/m', documentId: 'doc_1' }

test('[WEB-41] given panes, when an embedded document is addressed, then its page shows those panes, and both for anything else', () => {
  for (const panes of EMBED_PANES) {
    const url = new URL(embedUrl({ ...DOCUMENT, panes }))
    assert.equal(url.pathname, '/m/embed/doc_1')
    assert.equal(readEmbedPanes(url.searchParams.get('show')), panes)
  }
  assert.equal(embedUrl({ ...DOCUMENT, panes: 'both' }), 'https://meadow.example.org/m/embed/doc_1')
  for (const unknown of [null, '', 'everything']) assert.equal(readEmbedPanes(unknown), 'both')
})

test('[WEB-41] given a name with markup, when the embed code is written, then the name stays within its attribute', () => {
  const name = `"><script>alert('&amp;')</script>`
  const code = writeEmbedCode({ ...DOCUMENT, panes: 'model', size: EMBED_SIZES.medium, name })
  const [, attributes, rest] = /^<iframe ([^<>]*)>(.*)$/.exec(code)!
  assert.equal(rest, '</iframe>')
  const read = Object.fromEntries(
    [...attributes!.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  )
  assert.deepEqual(read, {
    src: 'https://meadow.example.org/m/embed/doc_1?show=model',
    title: "&quot;&gt;&lt;script&gt;alert('&amp;amp;')&lt;/script&gt;",
    width: '800',
    height: '500',
    style: 'border: 0',
    loading: 'lazy',
  })
})
