import type { Contract } from '@meadow/contract/description'
import { comment, HEADER } from './text.ts'

/** Writes `packages/client/src/api/generated/errors.ts`: the classes of errors, by status. */
export function writeErrors({ statuses }: Contract): string {
  const classes = statuses.map(
    ({ status, name, advice }) =>
      `${comment(`${status}. ${advice}`)}export class ${name} extends ApiError {\n  override readonly name = '${name}'\n}\n`,
  )
  const rows = statuses.map(({ status, name }) => `  ${status}: ${name},\n`)
  const retried = statuses.filter(({ mayRetry }) => mayRetry).map(({ status }) => status)
  return `${HEADER}
import { ApiError, type ApiErrorFacts } from '../errors.ts'

${classes.join('\n')}
/** The class of each status; the others have \`ApiError\` itself. */
export const ERROR_CLASSES: Readonly<Record<number, new (facts: ApiErrorFacts) => ApiError>> = {
${rows.join('')}}

/** The statuses after which a client may repeat the request by itself, after the seconds in \`Retry-After\`. */
export const RETRIED_STATUSES: readonly number[] = [${retried.join(', ')}]
`
}
