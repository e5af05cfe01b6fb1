import assert from 'node:assert/strict'
import { GrasshopperError, type GrasshopperErrorCode } from '../tree/grasshopper-error.ts'

/** Runs an action that has to fail with a GrasshopperError of a code at a location, and returns the error. */
export function assertRejected(
  code: GrasshopperErrorCode,
  where: RegExp,
  run: () => unknown,
): GrasshopperError {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof GrasshopperError, `not a GrasshopperError: ${String(error)}`)
    assert.equal(error.code, code, error.message)
    assert.match(error.where, where)
    return error
  }
  assert.fail(`nothing was rejected, ${code} was expected`)
}
