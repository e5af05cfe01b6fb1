import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlight } from './highlight.ts'

const SOURCES = {
  python2: 'import rhinoscriptsyntax as rs\n# a note\nprint "%d" % len(x)\na = lambda p: p ** 2\n',
  python3: 'def f(a: int = 3) -> str:\n    return f"{a}"\n',
  csharp: 'private void RunScript(int x, ref object A) { A = x > 1 ? "yes" : null; } // <b>\n',
  vb: "Private Sub RunScript(ByVal x As Integer) ' note\n  A = x\nEnd Sub\n",
} as const

test('[WEB-93] given a source of each language, when it is highlighted, then its tokens are the source, and keywords and strings are found', () => {
  for (const [language, source] of Object.entries(SOURCES) as [keyof typeof SOURCES, string][]) {
    const tokens = highlight(language, source)!
    assert.equal(tokens.map(({ text }) => text).join(''), source, language)
    assert.ok(
      tokens.some(({ scope }) => scope === 'keyword'),
      language,
    )
  }
  const printed = highlight('python2', SOURCES.python2)!
  assert.ok(printed.some(({ text, scope }) => text === '"%d"' && scope === 'string'))
  assert.ok(printed.some(({ text, scope }) => text === '# a note' && scope === 'comment'))
})

test('[WEB-93] given a source of an unknown language or of enormous length, when it is highlighted, then it has no tokens', () => {
  assert.equal(highlight('unknown', 'a = 1'), undefined)
  assert.equal(highlight('python3', 'a = 1\n'.repeat(50_000)), undefined)
})
