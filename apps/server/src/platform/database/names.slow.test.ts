import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanName, foldName, readName } from './names.ts'

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

test('[NAME-4] given names with line breaks, control characters, marks of direction and other hidden characters, then each is refused with its code; scripts and emoji that need joiners are not', () => {
  const refused = [
    '\0',
    '\n',
    '\t',
    '\u001b',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u202e',
    '\u200f',
    '\u061c',
    '\u2066',
  ]
  for (const hidden of [
    ...refused,
    '\u200b',
    '\u00ad',
    '\u2060',
    '\ufeff',
    '\u3164',
    '\ufffa',
    '\u{e0041}',
  ]) {
    const code = hidden.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    assert.throws(() => readName(`To${hidden}wer`), new RegExp(`leave out the character U\\+${code}`))
  }
  for (const name of ['Tower', 'نمی‌خواهم', 'क्‍ष', '👩‍👧', '❤️', 'Straße 5 – “A”', '東京\u3000塔'])
    assert.equal(readName(name), name)
})

test('[NAME-2] given any text, when it is cleaned, then it is a name, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), (text) => {
      const cleaned = cleanName(text)
      readName(cleaned)
      assert.equal(cleanName(cleaned), cleaned)
    }),
    { numRuns: 2_000 },
  )
  assert.equal(cleanName('a\r\nb\u202ec'), 'a bc')
  assert.equal(cleanName(' as it is '), ' as it is ')
  assert.equal(cleanName('\u200b\n'), 'Unnamed')
})
