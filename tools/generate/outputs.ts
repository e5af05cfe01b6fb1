import type { Output } from './output.ts'
import { writePythonEndpoints, writePythonErrors, writePythonTypes } from './python/module.ts'
import { writeDescriptions } from './typescript/descriptions.ts'
import { writeEndpoints, writeMethods } from './typescript/endpoints.ts'
import { writeErrors } from './typescript/errors.ts'
import { writeTypes } from './typescript/types.ts'

const SDK = 'packages/client/src/api/generated'
const PYTHON = 'sdks/python/src/meadow/_generated'

/** Every file that `npm run generate` writes. */
export const OUTPUTS: readonly Output[] = [
  { file: `${SDK}/types.ts`, write: writeTypes },
  { file: `${SDK}/endpoints.ts`, write: writeEndpoints },
  { file: `${SDK}/methods.ts`, write: writeMethods },
  { file: `${SDK}/errors.ts`, write: writeErrors },
  { file: 'packages/client/src/endpoints/generated/descriptions.ts', write: writeDescriptions },
  { file: `${PYTHON}/types.py`, write: writePythonTypes },
  { file: `${PYTHON}/errors.py`, write: writePythonErrors },
  { file: `${PYTHON}/endpoints.py`, write: writePythonEndpoints },
]
