import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addChangedMoves, type GoneFile, matchMoves } from './match-moves.ts'

const file = (path: string, sha256 = 'same') => ({ path, kind: 'definition', sha256 })
const gone = (path: string, sha256 = 'same', isBinned = false): GoneFile => ({
  ...file(path, sha256),
  isBinned,
})

const movesOf = (found: ReturnType<typeof file>[], former: GoneFile[]) =>
  Object.fromEntries([...matchMoves(found, former)].map(([path, { path: before }]) => [path, before]))

test('[IMP-26] given several files with equal bytes, when their folder was moved, then each is matched by its name', () => {
  const found = ['new/a.gh', 'new/sub/a.gh', 'new/b.gh'].map((path) => file(path))
  const former = ['old/b.gh', 'old/sub/a.gh', 'old/a.gh'].map((path) => gone(path))
  assert.deepEqual(movesOf(found, former), {
    'new/sub/a.gh': 'old/sub/a.gh',
    'new/a.gh': 'old/a.gh',
    'new/b.gh': 'old/b.gh',
  })
})

test('[IMP-26] given more files than are gone, or other bytes or kinds, then none is matched twice, and the others not at all', () => {
  assert.deepEqual(movesOf([file('b.gh'), file('c.gh')], [gone('a.gh')]), { 'b.gh': 'a.gh' })
  assert.deepEqual(movesOf([file('b.gh', 'x')], [gone('a.gh')]), {})
  assert.deepEqual(movesOf([{ ...file('a.3dm'), kind: 'model' }], [gone('a.gh')]), {})
})

test('[IMP-27] given a file that was moved, when one document of its bytes is in the bin, then the other is matched', () => {
  const former = [gone('old/tower.gh', 'same', true), gone('z.gh')]
  assert.deepEqual(movesOf([file('new/tower.gh')], former), { 'new/tower.gh': 'z.gh' })
})

test('[IMP-26] given any files, when they are matched in any order, then the result is the same, and each is matched once', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
    .map((names) => names.join('/'))
  const paths = fc.uniqueArray(path, { maxLength: 8 })
  fc.assert(
    fc.property(paths, paths, fc.infiniteStream(fc.constantFrom('x', 'y')), (now, before, bytes) => {
      const found = now.map((path) => file(path, bytes.next().value))
      const former = before.map((path) => gone(path, bytes.next().value))
      const moves = movesOf(found, former)
      assert.deepEqual(movesOf(found.toReversed(), former.toReversed()), moves)
      assert.equal(new Set(Object.values(moves)).size, Object.keys(moves).length)
      for (const sha256 of ['x', 'y']) {
        const count = (files: { sha256: string }[]) => files.filter((file) => file.sha256 === sha256).length
        const matched = found.filter((file) => file.sha256 === sha256 && file.path in moves).length
        assert.equal(matched, Math.min(count(found), count(former)))
      }
    }),
    { numRuns: 300 },
  )
})

test('[IMP-26] given a folder that was moved as a whole, when one of its files has changed too, then it is the same file; in any other case it is another one', () => {
  const match = (found: ReturnType<typeof file>[], former: GoneFile[], folders: string[] = []) => {
    const moves = matchMoves(found, former)
    addChangedMoves(moves, found, former, (path) => folders.includes(path))
    return Object.fromEntries([...moves].map(([path, { path: before }]) => [path, before]))
  }
  const [a, changed] = [file('new/a.gh', 'a'), file('new/b.gh', 'b2')]
  const former = [gone('old/a.gh', 'a'), gone('old/b.gh', 'b')]
  assert.deepEqual(match([a, changed], former), { 'new/a.gh': 'old/a.gh', 'new/b.gh': 'old/b.gh' })
  const alone = { 'new/a.gh': 'old/a.gh' }
  const above = [gone('old/sub/a.gh', 'a'), gone('old/b.gh', 'b')]
  assert.deepEqual(match([file('new/sub/a.gh', 'a'), changed], above), {
    'new/sub/a.gh': 'old/sub/a.gh',
    'new/b.gh': 'old/b.gh',
  })
  assert.deepEqual(match([a, changed], former, ['old']), alone, 'the folder is still there')
  assert.deepEqual(match([a, file('new/c.gh', 'b2')], former), alone, 'another name')
  const split = [...former, gone('old/c.gh', 'c')]
  const both = [a, changed, file('third/c.gh', 'c')]
  assert.deepEqual(match(both, split), { ...alone, 'third/c.gh': 'old/c.gh' }, 'two folders')
})
