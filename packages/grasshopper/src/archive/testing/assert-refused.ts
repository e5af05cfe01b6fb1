import assert from 'node:assert/strict'
import { GrasshopperError, type GrasshopperErrorCode } from '../tree/grasshopper-error.ts'

/** Runs what must fail with a GrasshopperError of one code, at a place, and gives the error. */
export function assertRefused(
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
  assert.fail(`nothing was refused, ${code} was expected`)
}
