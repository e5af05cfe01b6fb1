import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareNames } from '../sort-by-name.ts'
import { nameOrder } from './name-order.ts'

const PIECES = [
  ...'aAbBeEsSzZoOlLdD019 _-.()/#',
  ...'äÄáàâãåéèêëñçćčöőøØłŁđĐßẞæÆœŒşșğžżź',
  ...['\u0301', '\u0308', '\u0327', '0', '00', '10', '9', 'Tower ', 'tower', 'ss', 'ae'],
]
const words = fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 6 })
const lines = fc.string({
  unit: fc.integer({ min: 9, max: 0x17f }).map((code) => String.fromCharCode(code)),
  maxLength: 5,
})
const names = fc.oneof(
  words,
  words.map((word) => word.normalize('NFC')),
  lines,
  fc.string({ unit: 'grapheme' }),
)

const sign = (a: string, b: string) => (a < b ? -1 : Number(a > b))

test('[NAME-1] given any two names that have keys, then the keys compare as the names do', () => {
  let [tried, compared] = [0, 0]
  fc.assert(
    fc.property(names, names, fc.boolean(), (one, other, isPrefixed) => {
      tried++
      const [a, b] = isPrefixed ? [one, one + other] : [one, other]
      const [keyOfA, keyOfB] = [nameOrder(a), nameOrder(b)]
      if (keyOfA === undefined || keyOfB === undefined) return
      compared++
      assert.equal(
        sign(keyOfA, keyOfB),
        Math.sign(compareNames(a, b)),
        `${JSON.stringify([a, b])} ${keyOfA} ${keyOfB}`,
      )
    }),
    { numRuns: 20_000 },
  )
  assert.ok(compared > tried / 5, `${compared} of ${tried} pairs have keys`)
})

test('[NAME-1] given single characters and pairs of them, then those of European languages have keys, in the same order', () => {
  const singles = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).filter((c) =>
    nameOrder(c),
  )
  assert.ok([...'azAZ09 _-.äéñçøßœłđÅŽ§°'].every((character) => nameOrder(character)))
  const all = [...singles, ...singles.flatMap((single) => [`a${single}`, `${single}1`])]
  const byKey = all.toSorted((a, b) => sign(nameOrder(a)!, nameOrder(b)!))
  for (const [index, name] of byKey.entries()) {
    const next = byKey[index + 1] ?? name
    assert.equal(
      Math.sign(compareNames(name, next)),
      sign(nameOrder(name)!, nameOrder(next)!),
      JSON.stringify([name, next]),
    )
  }
})

test('[NAME-1] given names in other scripts, with ignored characters or very long numbers, then they have no key', () => {
  for (const name of ['塔', 'Башня', 'a\u0001', '\0', '“a”', '1'.repeat(81), 'e\u0301é', '🏗']) {
    assert.equal(nameOrder(name), undefined, name)
  }
})
