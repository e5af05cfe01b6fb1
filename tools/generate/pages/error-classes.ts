import type { Contract } from '@meadow/contract/description'
import { replaceSection } from '../output.ts'

/**
 * Writes the table of errors in the README of an SDK. The SDKs have the same classes. The rest of the page is written
 * by hand.
 */
export function writeErrorClasses({ statuses }: Contract, current: string): string {
  const rows = statuses.map(
    ({ status, name, mayRetry, advice }) =>
      `| \`${name}\` | ${status} | ${mayRetry ? 'yes' : ''} | ${advice.replaceAll('|', '\\|')} |`,
  )
  return replaceSection(
    current,
    'errors',
    ['| Class | Status | Repeated | What to do |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  )
}
