import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core')), 'utf8')

/** Of the elements of one kind of fault. */
const SHOWN = 3

/** Fails when axe finds anything serious or critical on the page as it is shown now. */
export async function assertAccessible(page: Page): Promise<void> {
  // Evaluated, not added as a script: the page's Content-Security-Policy lets none in.
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
  )
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => {
      const found = nodes.slice(0, SHOWN).map(({ html }) => `  ${html.slice(0, 200)}`)
      return [`${id}, ${nodes.length} times: ${help}`, ...found].join('\n')
    })
  if (serious.length > 0) assert.fail(serious.join('\n'))
}
