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
export async function findFaults(page: Page, inspection: Inspection = {}): Promise<string[]> {
  const given = { more: OF_LIGHTHOUSE, popup: POPUP, ...inspection }
  let found = await page.evaluate(runAxe, given)
  if (!found) {
    await page.evaluate(AXE)
    found = await page.evaluate(runAxe, given)
  }
  return found!.violations.map(({ id, impact, help, nodes }) => {
    const found = nodes.slice(0, SHOWN).map(({ html }) => `  ${html.slice(0, 200)}`)
    return [`${id} (${impact}), ${nodes.length} times: ${help}`, ...found].join('\n')
  })
}

interface AxeRun extends Inspection {
  more: string[]
  popup: string
}

/** Runs in the page; undefined if axe is not loaded there. */
function runAxe({ more, popup, onlyRules, onlyPopups = false }: AxeRun) {
  const { axe: loaded } = globalThis as { axe?: typeof axe }
  if (!loaded) return undefined
  const rules = Object.fromEntries(more.map((rule) => [rule, { enabled: true }]))
  const popups = document.querySelectorAll(popup)
  if (popups.length > 0) rules.region = { enabled: false }
  return loaded.run(onlyPopups ? { include: [...popups] as HTMLElement[] } : document, {
    resultTypes: ['violations'],
    // Nothing of a page plays, which is what the style sheets would be loaded again for.
    preload: false,
    ...(onlyRules ? { runOnly: onlyRules } : { rules }),
  })
}
