import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ExpressionError, ExpressionLimit } from './expression-error.ts'
import { readTokens, type Token } from './tokens.ts'

/** How a token is written, and how it is read. */
interface Written {
  text: string
  token: Token
}

const sign = (text: string, value = text): Written => ({ text, token: { kind: 'sign', value } })
const SIGNS: readonly Written[] = [
  ...[...'+-*/\\^%&=<>!~(){},;.²³√°∞', '<>', '<=', '>='].map((text) => sign(text)),
  ...[sign('≠', '<>'), sign('!=', '<>'), sign('≤', '<='), sign('≥', '>='), sign('==', '=')],
  ...[sign('×', '*'), sign('·', '*'), sign('∙', '*'), sign('÷', '/'), sign('−', '-')],
  ...[sign('∧', 'and'), sign('&&', 'and'), sign('∨', 'or'), sign('||', 'or')],
]

const FIRST = [...'abexzEXÄßéΩπϕφжλ数ア_']
const LATER = [...FIRST, ...'0123456789', ...'٣Ⅷ₀₉']
const WORDS = new Set(['and', 'or', 'xor', 'nand', 'nor', 'xnor', 'not', 'mod'])

const names = fc
  .tuple(fc.constantFrom(...FIRST), fc.array(fc.constantFrom(...LATER), { maxLength: 4 }))
  .map(([first, rest]) => first + rest.join(''))
  .filter((name) => !WORDS.has(name.toLowerCase()))
  .map((text): Written => ({ text, token: { kind: 'name', value: text } }))
const operators = fc
  .constantFrom(...WORDS, ...[...WORDS].map((word) => word.toUpperCase()))
  .map((text) => sign(text, text.toLowerCase()))
const digits = fc.array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 4 })
const numbers = fc
  .tuple(digits, fc.option(digits), fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e-', 'E+'), digits)))
  .map(([whole, fraction, exponent]): Written => {
    const power = exponent ? `${exponent[0]}${exponent[1].slice(0, 2).join('')}` : ''
    const text = `${whole.join('')}${fraction ? `.${fraction.join('')}` : ''}${power}`
    return { text, token: { kind: 'number', value: Number(text), isWhole: !fraction && !exponent } }
  })
const texts = fc
  .tuple(fc.constantFrom('"', "'"), fc.array(fc.constantFrom(...'a1²≠ \\"\'')))
  .map(([quote, letters]): Written => {
    const escaped = letters.map((letter) => (letter === '\\' || letter === quote ? `\\${letter}` : letter))
    return { text: quote + escaped.join('') + quote, token: { kind: 'text', value: letters.join('') } }
  })
const tokens = fc.array(fc.oneof(names, operators, numbers, texts, fc.constantFrom(...SIGNS)), {
  maxLength: 20,
})

/** Whether two tokens without a space between them might be read as others. */
function mayJoin(before: string, after: string): boolean {
  const isWord = (text: string) => /^[\p{L}\p{Nd}\p{Nl}_₀-₉.]$/u.test(text)
  const [last, first] = [[...before].at(-1) ?? '', [...after].at(0) ?? '']
  if (isWord(last) && isWord(first)) return true
  // `1.` and `2e` take a sign or digits that follow.
  if (/[\d.eE]$/.test(before) && /^[.+-]/.test(after)) return true
  return /[<>=!&|]$/.test(before) && /^[<>=&|]/.test(after)
}

test('[X-9] given tokens of the grammar, when they are written one after another, then they are read as such', () => {
  fc.assert(
    fc.property(tokens, fc.infiniteStream(fc.boolean()), (written, spaces) => {
      const parts = written.map(({ text }, i) => {
        const isApart = mayJoin(written[i - 1]?.text ?? '', text) || spaces.next().value
        return isApart ? ` ${text}` : text
      })
      assert.deepEqual(readTokens(parts.join('')), [...written.map(({ token }) => token), { kind: 'end' }])
    }),
    { numRuns: 500 },
  )
})

test('[X-9] given digits above the line, when they follow a name, then they are powers and no part of it', () => {
  const name = (value: string): Token => ({ kind: 'name', value })
  const cases: [string, Token[]][] = [
    ['x²', [name('x'), { kind: 'sign', value: '²' }]],
    ['a1³', [name('a1'), { kind: 'sign', value: '³' }]],
    ['π²', [name('π'), { kind: 'sign', value: '²' }]],
    ['x₁²', [name('x₁'), { kind: 'sign', value: '²' }]],
  ]
  for (const [text, expected] of cases)
    assert.deepEqual(readTokens(text), [...expected, { kind: 'end' }], text)
})

test('[X-9] given a sign of which nothing is known, when it is read, then the message names it, and it is a limit', () => {
  for (const text of ['⁴', '¹', '½', '¬', '⊕', '≈', '∑', '😀']) {
    assert.throws(
      () => readTokens(`x${text}`),
      (error) => error instanceof ExpressionLimit && error.message.includes(JSON.stringify(text)),
      text,
    )
  }
  for (const text of '#$?@[]`')
    assert.throws(
      () => readTokens(`x${text}`),
      (error) => !(error instanceof ExpressionLimit) && error instanceof ExpressionError,
      text,
    )
})

test('[X-9] given any text, when it is read, then each character is in a token or white space, or an error names it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      try {
        assert.equal(readTokens(text).at(-1)?.kind, 'end')
      } catch (error) {
        assert.ok(error instanceof ExpressionError)
        const [named = ''] = /"(?:[^"\\]|\\.)*"/.exec(error.message) ?? []
        assert.ok(text.includes(JSON.parse(named)), error.message)
      }
    }),
  )
})
