import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as contract from '@meadow/contract'
import { STATUS_ERRORS } from '@meadow/contract'
import { ERROR_CLASSES } from './generated/errors.ts'
import type * as sdk from './generated/types.ts'

/** A type without the brands of its ids, which are strings to the users of the SDK. */
type Plain<T> = T extends string & { readonly __brand: string }
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends object
      ? { [Name in keyof T]: Plain<T[Name]> }
      : T
/** True when each of the two can stand for the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type SameTypes = {
  [Name in keyof Shapes]: Same<Plain<Shapes[Name]['contract']>, Plain<Shapes[Name]['sdk']>>
}

interface Shapes {
  Team: { contract: contract.Team; sdk: sdk.Team }
  Folder: { contract: contract.Folder; sdk: sdk.Folder }
  FoundDocument: { contract: contract.FoundDocument; sdk: sdk.FoundDocument }
  SearchResult: { contract: contract.SearchResult; sdk: sdk.SearchDocumentsResult }
  Document: { contract: contract.Document; sdk: sdk.Document }
  Node: { contract: contract.Node; sdk: sdk.Node }
  DataValue: { contract: contract.DataValue; sdk: sdk.DataValue }
  DataTree: { contract: contract.DataTree; sdk: sdk.DataTree }
  Solution: { contract: contract.Solution; sdk: sdk.Solution }
  SolutionMessage: { contract: contract.SolutionMessage; sdk: sdk.SolutionMessage }
  Completeness: { contract: contract.Completeness; sdk: sdk.Completeness }
  // What these refer to by name is unknown to the contract's type; it is compared above.
  BimDocument: {
    contract: Omit<contract.BimDocument, 'objects' | 'completeness'>
    sdk: Omit<sdk.BimDocument, 'objects' | 'completeness'>
  }
  Export: { contract: Omit<contract.Export, 'completeness'>; sdk: Omit<sdk.Export, 'completeness'> }
}

test('[SDK-62] given the shapes of the contract, then those of the SDK are the same, and each status has its class', () => {
  // Compared by the compiler: a shape that differs is `false` here, and this does not compile.
  const same: SameTypes = {
    Team: true,
    Folder: true,
    FoundDocument: true,
    SearchResult: true,
    Document: true,
    Node: true,
    DataValue: true,
    DataTree: true,
    Solution: true,
    SolutionMessage: true,
    Completeness: true,
    BimDocument: true,
    Export: true,
  }
  assert.ok(Object.values(same).every(Boolean))
  for (const [status, { name }] of Object.entries(STATUS_ERRORS)) {
    const Class = ERROR_CLASSES[Number(status)]!
    assert.equal(new Class({ status: Number(status), message: '', url: '' }).name, name)
  }
})
