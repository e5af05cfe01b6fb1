import type { Locator, Page } from 'playwright-core'
import { type AppOptions, type OpenOptions, type StartedApp, useApp } from './start-app.ts'
import type { Demo } from './start-demo.ts'

/** Operations for tests of the document page. */
export interface EditorApp extends StartedApp {
  /** A window with a document in it, by default of the owner. */
  show(documentId: string, options?: Omit<OpenOptions, 'isShared' | 'isSignedOut' | 'at'>): Promise<Page>
}

export function useEditor(start: () => Promise<Demo>, defaults?: AppOptions): EditorApp {
  const app = useApp(start, defaults)
  const show: EditorApp['show'] = async (documentId, options) => {
    const page = await app.open({ ...options, at: `/documents/${documentId}` })
    await waitForCanvas(page)
    return page
  }
  // The demo is there only once it is started.
  return Object.defineProperties({ show }, Object.getOwnPropertyDescriptors(app)) as EditorApp
}

/** Waits until the canvas takes keys and clicks. It draws only when it knows its size, and it listens by then. */
export const waitForCanvas = (page: Page): Promise<void> =>
  page.locator('[data-wires]').waitFor({ state: 'attached' })

/** A node on the canvas, by its name. */
export const findNode = (page: Page, name: string): Locator =>
  page.locator('.react-flow__node').filter({ hasText: name })

/** As with a double click on the empty canvas. */
export async function addNode(page: Page, typed: string, at: { x: number; y: number }): Promise<void> {
  await page.locator('.react-flow__pane').dblclick({ position: at })
  const field = page.getByRole('combobox', { name: 'What to add' })
  await field.fill(typed)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await field.waitFor({ state: 'detached' })
}
