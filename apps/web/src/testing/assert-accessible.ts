import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Evaluated, not added as a script: the page's Content-Security-Policy forbids scripts. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core')), 'utf8')

/** Of the elements of one kind of fault. */
const SHOWN = 3

/** Rules that Lighthouse checks and axe skips by default. */
const OF_LIGHTHOUSE = ['label-content-name-mismatch', 'table-fake-caption', 'target-size', 'td-has-header']

/** Rules whose result depends on the colours. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** What opens over the page, and is no part of its landmarks. */
const POPUP = '[role=dialog], [role=menu], [role=listbox]'

/** Fails when axe finds a violation on the page, best practices included: Lighthouse then scores 100. */
export async function assertAccessible(page: Page): Promise<void> {
  const faults = await findFaults(page)
  if (faults.length > 0) assert.fail(faults.join('\n'))
}

interface Inspection {
  /** By default all rules. */
  onlyRules?: string[]
  /** Whether only the dialogs, menus and lists over the page are inspected. */
  onlyPopups?: boolean
}

/** The violations of axe's rules on the page. */
export async function findFaults(
  page: Page,
  { onlyRules, onlyPopups = false }: Inspection = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    ({ more, popup, onlyRules, onlyPopups }) => {
      const rules = Object.fromEntries(more.map((rule) => [rule, { enabled: true }]))
      const popups = document.querySelectorAll(popup)
      if (popups.length > 0) rules.region = { enabled: false }
      return (globalThis as unknown as { axe: typeof axe }).axe.run(
        onlyPopups ? { include: [...popups] as HTMLElement[] } : document,
        {
          resultTypes: ['violations'],
          ...(onlyRules ? { runOnly: onlyRules } : { rules }),
        },
      )
    },
    { more: OF_LIGHTHOUSE, popup: POPUP, onlyRules, onlyPopups },
  )
  return violations.map(({ id, impact, help, nodes }) => {
    const found = nodes.slice(0, SHOWN).map(({ html }) => `  ${html.slice(0, 200)}`)
    return [`${id} (${impact}), ${nodes.length} times: ${help}`, ...found].join('\n')
  })
}
