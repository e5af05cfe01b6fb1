import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDemo } from '../testing/documents.ts'
import { countTokens, noTokenizer } from '../testing/tokenizers.ts'
import { outlineDocument } from './outline.ts'
import { CursorError, cutPage } from './page.ts'
import { estimateTokens } from './tokens.ts'

const MAX_TOKENS = 8_000

/** Numbers that differ from run to run neither. */
const noise = (i: number) => Math.abs(Math.sin(i + 1)) * 1000

const TEXTS: Record<string, string[]> = {
  numbers: Array.from({ length: 500 }, (_, i) =>
    Array.from({ length: 20 }, (_, j) => noise(i * 20 + j)).join(', '),
  ),
  points: Array.from({ length: 2000 }, (_, i) => `(${noise(i)},${noise(i + 0.3)},${noise(i + 0.6)})`),
  ids: Array.from(
    { length: 3000 },
    (_, i) => `${noise(i).toString(16)} Panel <${noise(i + 0.5).toString(16)}`,
  ),
  base64: [Buffer.from(Array.from({ length: 60_000 }, (_, i) => noise(i) % 256)).toString('base64')],
  german: [`${'Fassade mit Öffnungsflächen, größenabhängig verschränkt über Geschosshöhe. '.repeat(800)}`],
  japanese: ['梁の断面を計算する。柱の高さは三メートルです。'.repeat(1500)],
  emoji: ['🦊🪐👩‍💻'.repeat(3000)],
  code: Array.from(
    { length: 3000 },
    (_, i) => `    if (self.items[${i}] == None): return math.sqrt(x ** 2 + y_${i} ** 2)`,
  ),
}

/** All pages of some lines. */
function* pagesOf(lines: () => Iterable<string>, maxBytes?: number) {
  let cursor: string | undefined
  do {
    const page = cutPage(lines(), { cursor, maxBytes })
    yield page.text
    cursor = page.cursor
  } while (cursor !== undefined)
}

describe('the size of a page', () => {
  for (const [kind, lines] of Object.entries(TEXTS))
    test(`[MCP-5] given a long answer of ${kind}, then no page has more than 8,000 tokens of any tokenizer, and few are short`, {
      skip: noTokenizer,
    }, () => {
      const pages = [...pagesOf(() => lines)]
      assert.ok(pages.length > 1, 'it is long enough')
      const tokens = pages.map(countTokens)
      assert.ok(Math.max(...tokens) <= MAX_TOKENS, tokens.join())
      for (const count of tokens.slice(0, -1)) assert.ok(count > 2_000, tokens.join())
    })

  test('[MCP-5] given outlines, then the estimate is never below what tokenizers count', {
    skip: noTokenizer,
  }, () => {
    for (const document of readDemo()) {
      const text = [...outlineDocument(document)].join('\n')
      assert.ok(estimateTokens(text) >= countTokens(text), document.name)
    }
  })

  test('[MCP-2, MCP-5] given a limit in bytes, then pages keep to it', () => {
    const pages = [...pagesOf(() => TEXTS.japanese!, 16_000)]
    assert.ok(pages.every((page) => Buffer.byteLength(page) <= 16_000))
  })
})

describe('cursors', () => {
  test('[MCP-6] given pages, then together they are the whole, also of lines that are longer than a page', () => {
    for (const lines of [TEXTS.points!, TEXTS.code!])
      assert.deepEqual([...pagesOf(() => lines)].join('\n'), lines.join('\n'))
    const joined = [...pagesOf(() => TEXTS.base64!)].join('\n').replaceAll('…\n…', '')
    assert.equal(joined, TEXTS.base64![0])
    assert.equal([...pagesOf(() => TEXTS.emoji!)].join('\n').replaceAll('…\n…', ''), TEXTS.emoji![0])
  })

  test('[MCP-6] given a change before the cursor, then it is refused; given one after it, then it goes on', () => {
    const lines = TEXTS.points!
    const { text, cursor } = cutPage(lines)
    const shown = text.split('\n').length
    const changedBefore = lines.with(shown - 1, 'changed')
    const changedAfter = lines.with(shown, 'changed')
    assert.throws(() => cutPage(changedBefore, { cursor }), CursorError)
    assert.throws(() => cutPage(lines.slice(0, shown), { cursor }), CursorError)
    assert.match(cutPage(changedAfter, { cursor }).text, /^changed\n/)
  })

  test('[MCP-6] given something else than a cursor, then it is refused', () => {
    for (const cursor of ['', '12', '1-abcdefghi', '99999999999-abcdefgh', '5-AAAAAAAA'])
      assert.throws(() => cutPage(['a', 'b'], { cursor }), CursorError, cursor)
  })
})
