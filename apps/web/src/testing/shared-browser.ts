import type { Browser } from 'playwright-core'
import { atEnd } from '../../../server/src/testing/at-end.ts'
import { processScope } from '../../../server/src/testing/process-scope.ts'
import { startBrowser } from './browser.ts'

let shared: Promise<Browser> | undefined

/**
 * The browser of all tests of this process, or another one after it crashed. It ends with the process; tests close the
 * pages and contexts that they open.
 */
export async function getBrowser(): Promise<Browser> {
  if (!shared) atEnd(processScope, async () => (await shared)?.close())
  if (!shared || !(await shared).isConnected()) shared = startBrowser()
  return shared
}
