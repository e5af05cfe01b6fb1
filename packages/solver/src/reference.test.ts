import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openKernels } from '@meadow/geometry/kernels/kernels'
import { Compile } from 'typebox/schema'
import { readCaseFiles, readCaseSchema } from './testing/reference/case-file.ts'
import { checkCase, getDescription } from './testing/reference/check-case.ts'

/*
 * The reference suite: cases of kinds with results from elsewhere, as data files. `packages/solver/reference/README.md`
 * says how to add one.
 */

const kernels = await openKernels(['mesh'])
const schema = Compile(readCaseSchema())
const files = readCaseFiles()

test('given the case files, when they are read, then each has the form of the schema', () => {
  for (const { name, file } of files) {
    const [isValid, errors] = schema.Errors(file)
    assert.ok(isValid, `${name}: ${JSON.stringify(errors.slice(0, 3))}`)
  }
})

test('given the case files, when their kinds are looked up, then each is named as in the component library', () => {
  for (const { kind, guid } of files.flatMap(({ file }) => file.kinds))
    assert.equal(getDescription(guid).name, kind)
})

test('given the case files, when their cases are listed, then a kind has each name once, in one file', () => {
  const kinds = files.flatMap(({ file }) => file.kinds)
  assert.equal(new Set(kinds.map(({ guid }) => guid)).size, kinds.length)
  for (const { kind, cases } of kinds)
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, kind)
})

for (const { name, file } of files) {
  describe(name, () => {
    for (const kind of file.kinds) {
      for (const example of kind.cases) {
        test(`${kind.kind}: given ${example.name}, when it runs, then what ${example.source.kind} says`, () =>
          checkCase(kind, example, kernels))
      }
    }
  })
}
