import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeMentions, encodeMentions, listMentionable, splitText } from './mentions.ts'

const person = (letter: string, name: string) => ({
  id: `usr_${letter.repeat(16)}` as never,
  name,
  email: `${letter}@example.org`,
})
const PEOPLE = listMentionable([
  person('a', 'Ann'),
  person('b', 'Ann Lee'),
  person('c', 'Bo'),
  person('d', 'Bo'),
  person('e', 'مريم'),
])

test('[WEB-212] given names that are typed after an at sign, when they are stored and edited again, then whole names are mentions, the longest first, and everything else stays', () => {
  const typed = '@Ann, @Ann Lee! @Annika x@Ann (@Bo (d@example.org)) @Bo @مريم'
  const stored = encodeMentions(typed, PEOPLE)
  const id = (letter: string) => `@usr_${letter.repeat(16)}`
  assert.equal(stored, `${id('a')}, ${id('b')}! @Annika x@Ann (${id('d')}) @Bo ${id('e')}`)
  assert.equal(decodeMentions({ text: stored, mentions: [] }, PEOPLE), typed)
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...PEOPLE.map(({ label }) => `@${label}`)),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('')
      assert.equal(decodeMentions({ text: encodeMentions(text, PEOPLE), mentions: [] }, PEOPLE), text)
    }),
  )
})

test('[WEB-212] given any text, when it is split, then all of it is shown, only http and https without marks of direction become links, and unknown people have no name', () => {
  const text = `See https://a.example/x?y=1). javascript:alert(1) <a href="http://b.example">, @usr_${'z'.repeat(16)}`
  assert.deepEqual(splitText({ text, mentions: [] }), [
    'See ',
    { url: 'https://a.example/x?y=1', text: 'https://a.example/x?y=1' },
    '). javascript:alert(1) <a href="',
    { url: 'http://b.example', text: 'http://b.example' },
    '">, ',
    { id: `usr_${'z'.repeat(16)}`, name: 'a former member' },
  ])
  // Read from right to left, the rest would look like another host.
  const turned = '\u202e/moc.knab//:sptth'
  assert.deepEqual(splitText({ text: `https://evil.example${turned}`, mentions: [] }), [
    { url: 'https://evil.example', text: 'https://evil.example' },
    turned,
  ])
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.webUrl(), (before, url) => {
      const parts = splitText({ text: `${before} ${url}`, mentions: [] })
      for (const part of parts)
        if (typeof part === 'object' && 'url' in part) assert.match(part.url, /^https?:/i)
      assert.equal(
        parts.map((part) => (typeof part === 'string' ? part : 'url' in part ? part.text : '@')).join(''),
        `${before} ${url}`,
      )
    }),
  )
})
