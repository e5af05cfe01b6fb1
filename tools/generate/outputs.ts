import { configurationPage } from '../../apps/server/src/configuration-page.ts'
import { CheckConfig, RULES_PAGE } from '../../packages/check/src/config/config.ts'
import { conversionsPage } from '../../packages/solver/src/conversions-page.ts'
import { kindsPage } from '../../packages/solver/src/kinds-page.ts'
import { writeCliPage } from './cli.ts'
import { writeMcpTools } from './mcp.ts'
import { type Output, replaceSection } from './output.ts'
import { writeApiPage } from './pages/api-page.ts'
import { writeErrorClasses } from './pages/error-classes.ts'
import { writeLicences } from './pages/licences.ts'
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
  { file: 'docs/cli.md', write: writeCliPage },
  { file: 'docs/mcp.md', write: writeMcpTools },
  { file: `${PYTHON}/types.py`, write: writePythonTypes },
  { file: `${PYTHON}/errors.py`, write: writePythonErrors },
  { file: `${PYTHON}/endpoints.py`, write: writePythonEndpoints },
  { file: 'packages/client/README.md', write: writeErrorClasses },
  { file: 'sdks/python/README.md', write: writeErrorClasses },
  { file: 'docs/api.md', write: writeApiPage },
  { file: 'docs/configuration.md', write: configurationPage },
  { file: 'docs/conversions.md', write: conversionsPage },
  { file: 'docs/kinds.md', write: kindsPage },
  { file: 'docs/check.md', write: (_, page) => replaceSection(page, 'rules', RULES_PAGE) },
  { file: 'docs/meadow.check.schema.json', write: () => `${JSON.stringify(CheckConfig, undefined, 2)}\n` },
  { file: 'docs/licences.md', write: writeLicences },
]
