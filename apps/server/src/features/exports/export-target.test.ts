import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toFileName } from './export-target.ts'

test('[EXP-6] given names of documents, then file names with the extension of the format', () => {
  const cases: [name: string, definition: string, model: string][] = [
    ['Tower', 'Tower.gh', 'Tower.3dm'],
    ['Tower.gh', 'Tower.gh', 'Tower.3dm'],
    ['Tower.GHX', 'Tower.gh', 'Tower.3dm'],
    ['Tower.3dm', 'Tower.gh', 'Tower.3dm'],
    ['Tower v1.2', 'Tower v1.2.gh', 'Tower v1.2.3dm'],
    ['Türme "Ost" 50%; 塔 🗼', 'Türme "Ost" 50%; 塔 🗼.gh', 'Türme "Ost" 50%; 塔 🗼.3dm'],
    ['../../etc/passwd', '.._.._etc_passwd.gh', '.._.._etc_passwd.3dm'],
    ['a\u202egpj.hg\n', 'a_gpj.hg_.gh', 'a_gpj.hg_.3dm'],
    ['half \ud800', 'half \ufffd.gh', 'half \ufffd.3dm'],
    ['...', 'Untitled.gh', 'Untitled.3dm'],
    ['.gh', 'Untitled.gh', 'Untitled.3dm'],
    [' . ', 'Untitled.gh', 'Untitled.3dm'],
  ]
  for (const [name, definition, model] of cases) {
    assert.deepEqual([toFileName(name, '.gh'), toFileName(name, '.3dm')], [definition, model], name)
  }
})

test('[EXP-6] given a name longer than file systems allow, then it is cut between grapheme clusters', () => {
  const family = '👨‍👩‍👧‍👦'
  assert.equal(toFileName(family.repeat(100), '.3dm'), `${family.repeat(10)}.3dm`)
})

test('[EXP-6] given any name, then a valid file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const fileName = toFileName(name, '.gh')
      assert.ok(Buffer.byteLength(fileName) <= 255 && fileName.length > 3)
      assert.ok(fileName.endsWith('.gh') && fileName.isWellFormed())
      assert.doesNotMatch(fileName, /[/\\\p{Cc}]/u)
    }),
  )
})
