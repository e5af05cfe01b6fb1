import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldName } from './names.ts'

/** Every character of Unicode but the halves of others. */
function* everyCharacter(): Generator<string> {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    if (codePoint < 0xd800 || codePoint > 0xdfff) yield String.fromCodePoint(codePoint)
  }
}

test('[D17] given any character, then its upper and lower case fold alike', () => {
  for (const character of everyCharacter()) {
    // The dotted capital İ has no lower case of its own: what it becomes is i with a dot.
    assert.equal(foldName(character.toUpperCase()), foldName(character), character)
    assert.equal(foldName(character.toLowerCase()), foldName(character), character)
  }
})

test('[D17] given any text, then folding it again or spelling it otherwise changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const folded = foldName(text)
      assert.equal(foldName(folded), folded)
      for (const form of ['NFC', 'NFD']) assert.equal(foldName(text.normalize(form)), folded)
    }),
    { numRuns: 2_000 },
  )
})

test('[D17] given letters with and without diacritics, then they stay apart', () => {
  assert.notEqual(foldName('ä'), foldName('a'))
  assert.equal(foldName('Straße'), foldName('STRASSE'))
  assert.equal(foldName('cafe\u0301'), foldName('CAFÉ'))
})

test('given any character, then its folded form holds no small letter of ASCII, as the index on SQLite needs', () => {
  for (const character of everyCharacter()) assert.doesNotMatch(foldName(character), /[a-z]/)
})
