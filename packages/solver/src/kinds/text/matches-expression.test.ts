import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchesExpression } from './matches-expression.ts'

// Examples of Microsoft, .NET regular expressions, "Quick reference", for Regex.IsMatch or the matches that it lists.
test('[I-9] given expressions and texts, when matched, then the answer is that of .NET', () => {
  const cases: [text: string, expression: string, isCaseSensitive: boolean, expected: boolean][] = [
    ['', '', true, true],
    ['anything', '', true, true],
    ['gray', '[ae]', true, true],
    ['cyst', '[ae]', true, false],
    ['lane', 'l[ae]ne', true, true],
    ['aei', '[^aei]', true, false],
    ['ABC', '[A-C]+', true, true],
    ['nave', 'a.e', true, true],
    ['nave', '^a.e', true, false],
    ['note', 'a.e', true, false],
    ['nave', '.*a.e', true, true],
    ['ID A1.3', String.raw`\w+\s\w\d\.\d`, true, true],
    ['4 = IV', String.raw`\d = IV`, true, true],
    ['901-333-', String.raw`^\d{3}-\d{3}-$`, true, true],
    ['rain', 'rai?n', true, true],
    ['Hello', 'h.*o', false, true],
    ['Hello', 'h.*o', true, false],
    ['Hello', '(?i)h.*o', true, true],
    ['the man', 'th(e|is|at)(?: man)?', true, true],
    ['Hello', '^[A-Z]', true, true],
    ['hello', '^H', false, true],
    ['Größe', 'Gr.ße', true, true],
    ['a\nb', 'a.b', true, false],
    ['a\nb', '(?s)a.b', true, true],
  ]
  for (const [text, expression, isCaseSensitive, expected] of cases) {
    assert.equal(matchesExpression(text, expression, isCaseSensitive), expected, `${text} ~ ${expression}`)
  }
})

test('[I-9] given syntax or texts that .NET may take differently, when matched, then the answer is unknown', () => {
  const cases: [text: string, expression: string][] = [
    ['deceive', 'd\\w+(?=e)'],
    ['aa', String.raw`(\w)\1`],
    ['ab', '(?<=a)b'],
    ['b', '[a-z-[aeiou]]'],
    ['a', '[[:alpha:]]'],
    ['é', String.raw`\w`],
    ['٣', String.raw`\d`],
    ['É', '(?i)é'],
    ['a\n', 'a$'],
    ['a\vb', String.raw`a\sb`],
    ['😀', '.'],
    ['A', String.raw`\p{Lu}`],
    ['a', '('],
    ['a', 'a++'],
    ['\n', String.raw`\012`],
    ['a', 'a'.repeat(1001)],
  ]
  for (const [text, expression] of cases) {
    assert.equal(matchesExpression(text, expression, true), undefined, `${text} ~ ${expression}`)
  }
})

test('[I-9] given any expression of few signs, when a text is matched, then the answer is that of a backtracking engine', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(?:ab)')
  const part = fc
    .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{0,2}', '*?'))
    .map(([sign, count]) => sign + count)
  const expressions = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(texts, expressions, (text, expression) => {
      for (const anchored of [expression, `^(?:${expression})$`]) {
        assert.equal(matchesExpression(text, anchored, true), new RegExp(anchored).test(text))
      }
    }),
  )
})

test('[I-9] given expressions that take others for ever, when long texts are matched, then there is an answer', () => {
  assert.equal(matchesExpression(`${'a'.repeat(50_000)}c`, '(a+)+b', true), false)
  assert.equal(matchesExpression('a'.repeat(50_000), '(a|a)*', true), true)
  assert.equal(matchesExpression('x'.repeat(200_000), '(.?){500}(.){500}', true), undefined)
})
