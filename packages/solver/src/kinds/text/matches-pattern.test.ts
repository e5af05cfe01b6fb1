import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchesPattern } from './matches-pattern.ts'

// The last six are the examples of Microsoft's page on the Like operator.
test('given texts and patterns, when they are compared, then each sign of the pattern means what it should', () => {
  const cases: [string, string, boolean | undefined][] = [
    ['', '', true],
    ['', '*', true],
    ['abc', 'a?c', true],
    ['abc', 'a', false],
    ['a1', 'a#', true],
    ['ab', 'a#', false],
    ['a-b', 'a[-]b', true],
    ['ab', 'a[]b', true],
    ['a*', 'a[*]', true],
    ['a', '[', undefined],
    ['F', 'F', true],
    ['F', 'f', false],
    ['F', 'FFF', false],
    ['aBBBa', 'a*a', true],
    ['F', '[!A-Z]', false],
    ['aM5b', 'a[L-P]#[!c-e]', true],
  ]
  for (const [text, pattern, expected] of cases) {
    assert.equal(matchesPattern(text, pattern), expected, `${text} like ${pattern}`)
  }
})

test('given any text of few letters, when it is compared, then the answer is that of a regular expression', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '?', '*'), maxLength: 8 })
  fc.assert(
    fc.property(letters, patterns, (text, pattern) => {
      const expression = pattern.replaceAll('?', '.').replaceAll('*', '.*')
      assert.equal(matchesPattern(text, pattern), new RegExp(`^${expression}$`).test(text))
    }),
  )
})

test('given a pattern of many stars, when a long text is compared, then it takes no more than its time', () => {
  assert.equal(matchesPattern('a'.repeat(5000), `${'*a'.repeat(200)}*b`), false)
})
