import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InputData, listOnly, run } from '../../testing/run.ts'

const LONGEST = '8440fd1b-b6e0-4bdb-aa93-4ec295c213e9'
const SHORTEST = '5a13ec19-e4e9-43da-bf65-f93025fa87ca'
const CROSS = '36947590-f0cb-4807-a8f9-9c90c9b20621'

/** The outputs for lists of letters, each as a text; undefined without values. */
function match(guid: string, texts: readonly (string | undefined)[], options?: Record<string, number>) {
  const inputs = texts.map((text): InputData => (text === undefined ? undefined : [...text]))
  const state = options && { state: { kind: 'options', options } }
  const { outputs, messages } = run(guid, inputs, { outputs: texts.length, ...state })
  return { texts: listOnly(outputs).map((values) => values?.map((value) => value ?? '-').join('')), messages }
}

// The modes and their results: Grasshopper Primer 1.4.3, figures of Shortest List and Cross Reference.
test('[O-2] [O-4] given lists of different length, when Shortest List runs, then they end, start or are thinned', () => {
  assert.deepEqual(match(SHORTEST, ['ABCDE', 'XYZ']).texts, ['ABC', 'XYZ'])
  assert.deepEqual(match(SHORTEST, ['ABCDE', 'XYZ'], { trimMode: 2 }).texts, ['ABC', 'XYZ'])
  assert.deepEqual(match(SHORTEST, ['ABCDE', 'XYZ'], { trimMode: 1 }).texts, ['CDE', 'XYZ'])
  assert.deepEqual(match(SHORTEST, ['ABCDE', 'XYZ'], { trimMode: 3 }).texts, ['ACE', 'XYZ'])
  // The figure beside it: 6 items beside 8.
  assert.deepEqual(match(SHORTEST, ['01234567', 'ABCDEF'], { trimMode: 3 }).texts, ['013467', 'ABCDEF'])
  assert.deepEqual(match(SHORTEST, ['ABC', 'X'], { trimMode: 3 }).texts, ['A', 'X'])
  assert.deepEqual(match(SHORTEST, [undefined, 'AB']).texts, ['', 'AB'])
})

test('[O-2] [O-3] given lists of different length, when Longest List runs, then the shorter ones are filled', () => {
  assert.deepEqual(match(LONGEST, ['ABCDE', 'XY']).texts, ['ABCDE', 'XYYYY'])
  assert.deepEqual(match(LONGEST, ['ABCDE', 'XY'], { paddingMode: 1 }).texts, ['ABCDE', 'XXXXY'])
  assert.deepEqual(match(LONGEST, ['ABCDE', 'XY'], { paddingMode: 2 }).texts, ['ABCDE', 'XYYYY'])
  assert.deepEqual(match(LONGEST, ['ABCDEF', 'XYZ'], { paddingMode: 3 }).texts, ['ABCDEF', 'XXYYZZ'])
  assert.deepEqual(match(LONGEST, ['ABCDE', 'XY'], { paddingMode: 4 }).texts, ['ABCDE', 'XYXYX'])
  assert.deepEqual(match(LONGEST, ['AB', 'XYZ', 'M']).texts, ['ABB', 'XYZ', 'MMM'])
  assert.deepEqual(match(LONGEST, ['AB', undefined]).texts, ['AB', ''])
})

test('[O-3] [O-4] given a mode whose items are not known, when it runs, then the node says so, unless lists are as long', () => {
  const limit = ['error: Which items this menu option picks here is not known']
  assert.deepEqual(match(LONGEST, ['ABC', 'XY'], { paddingMode: 5 }).messages, limit)
  assert.deepEqual(match(LONGEST, ['AB', 'XY'], { paddingMode: 5 }), { texts: ['AB', 'XY'], messages: [] })
  assert.deepEqual(match(LONGEST, ['ABC', 'XY'], { paddingMode: 3 }).messages, limit)
  assert.deepEqual(match(SHORTEST, ['ABCD', 'XYZ'], { trimMode: 3 }).messages, limit)
})

test('[O-5] given two lists, when Cross Reference runs, then the mode decides which items are combined', () => {
  const cross = (crossMode?: number) => {
    const options = crossMode === undefined ? undefined : { crossMode }
    return match(CROSS, ['ABC', 'XYZ'], options).texts
  }
  assert.deepEqual(cross(), ['ABCABCABC', 'XXXYYYZZZ'])
  assert.deepEqual(cross(1), ['ABCABCABC', 'XXXYYYZZZ'])
  assert.deepEqual(cross(2), ['BCACAB', 'XXYYZZ'])
  assert.deepEqual(cross(3), ['BCACAB', 'XXYYZZ'])
  assert.deepEqual(cross(4), ['ABCBCC', 'XXXYYZ'])
  assert.deepEqual(cross(5), ['BCC', 'XXY'])
  assert.deepEqual(cross(6), ['AABABC', 'XYYZZZ'])
  assert.deepEqual(cross(7), ['AAB', 'YZZ'])
})

test('[O-5] given three lists, when Cross Reference runs, then all have to be, or any two may be, at the same index', () => {
  const lists = ['AB', 'XY', 'MN']
  assert.deepEqual(match(CROSS, lists).texts, ['ABABABAB', 'XXYYXXYY', 'MMMMNNNN'])
  assert.deepEqual(match(CROSS, lists, { crossMode: 2 }).texts, ['BABABA', 'XYYXXY', 'MMMNNN'])
  assert.deepEqual(match(CROSS, lists, { crossMode: 3 }).texts, ['', '', ''])
  assert.deepEqual(match(CROSS, ['AB', undefined]).texts, ['AB', ''])
})
