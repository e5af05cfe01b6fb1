import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldFileName, nameSiblings, toFileName } from './file-names.ts'

test('[CMD-23] given a name that some file system or tool does not take, when a file is named, then it is safe; others stay', () => {
  const cases = {
    Tower: 'Tower',
    '北区 Pavilion (C#) é 🏗️': '北区 Pavilion (C#) é 🏗️',
    'a/b\\c:d*e?f"g<h>i|j': 'a_b_c_d_e_f_g_h_i_j',
    '..': '_',
    '../../etc/passwd': '_._.._etc_passwd',
    '': '_',
    ' . ': '_',
    'ends. ': 'ends',
    '.git': '_git',
    '.g\u200cit': '_git',
    'GIT~1': 'git_1',
    '-rf': '_rf',
    'line\nbreak\u0000\u202egnp': 'line_break_gnp',
    CON: '_CON',
    'com1.txt': '_com1.txt',
    'LPT¹': '_LPT¹',
    Console: 'Console',
    'e\u0301': 'é',
  }
  for (const [name, expected] of Object.entries(cases))
    assert.equal(toFileName(name), expected, JSON.stringify(name))
  assert.equal(toFileName('a'.repeat(300), '.json'), `${'a'.repeat(195)}.json`)
  const family = '👨‍👩‍👧'
  assert.ok(Buffer.byteLength(toFileName(family.repeat(50), '.csv')) <= 200)
})

test('[CMD-23] given any name, when a file is named, then the name is safe, and naming it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const safe = toFileName(name, '.json')
      assert.ok(Buffer.byteLength(safe) <= 200 && Buffer.byteLength(safe) > '.json'.length)
      assert.doesNotMatch(safe, /[<>:"/\\|?*\p{Cc}\p{Cs}]|^[.-]|[. ]$/u)
      assert.equal(safe, safe.normalize('NFC'))
      assert.equal(toFileName(safe), safe)
    }),
  )
})

test('[CMD-23] given names that differ in letter case or are equal, when siblings are named, then the first one keeps its name, and no two are one file', () => {
  const named = (names: readonly string[], taken = new Set<string>()) => [
    ...nameSiblings(
      names.map((name, index) => ({ id: `doc_${index}`, name })),
      taken,
      ['.json', '.solution.json'],
    ).values(),
  ]
  assert.deepEqual(named(['Tower', 'tower', 'TOWER', 'Stair']), [
    'Tower',
    'tower (doc_1)',
    'TOWER (doc_2)',
    'Stair',
  ])
  // A file of the first is called like one of the second.
  assert.deepEqual(named(['A', 'A.solution']), ['A', 'A.solution (doc_1)'])
  assert.deepEqual(named(['Plan'], new Set([foldFileName('PLAN.json')])), ['Plan (doc_0)'])
  const long = 'x'.repeat(250)
  for (const name of named([long, long])) assert.ok(Buffer.byteLength(`${name}.solution.json`) <= 200)
})
