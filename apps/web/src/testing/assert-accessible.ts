import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core')), 'utf8')

/** Of the elements of one kind of fault. */
const SHOWN = 3

/** Rules that Lighthouse checks and axe skips by default. */
const OF_LIGHTHOUSE = ['label-content-name-mismatch', 'table-fake-caption', 'target-size', 'td-has-header']

/** Lists that open over the page are no part of its landmarks. */
const POPUP = '[role=menu], [role=listbox]'

/** Fails when axe finds a violation on the page, best practices included: Lighthouse then scores 100. */
export async function assertAccessible(page: Page): Promise<void> {
  // Evaluated, not added as a script: the page's Content-Security-Policy forbids scripts.
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    ({ more, popup }) => {
      const rules = Object.fromEntries(more.map((rule) => [rule, { enabled: true }]))
      if (document.querySelector(popup)) rules.region = { enabled: false }
      return (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ['violations'],
        rules,
      })
    },
    { more: OF_LIGHTHOUSE, popup: POPUP },
  )
  const faults = violations.map(({ id, impact, help, nodes }) => {
    const found = nodes.slice(0, SHOWN).map(({ html }) => `  ${html.slice(0, 200)}`)
    return [`${id} (${impact}), ${nodes.length} times: ${help}`, ...found].join('\n')
  })
  if (faults.length > 0) assert.fail(faults.join('\n'))
}
