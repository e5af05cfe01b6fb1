import type { Locator, Page } from 'playwright-core'
import { type AppApi, createAppApi, type Person, toCookies } from './app-api.ts'
import { type AppOptions, type OpenOptions, type StartedApp, useApp } from './start-app.ts'
import type { Demo } from './start-demo.ts'

/** Operations for tests of the document page. */
export interface EditorApp extends StartedApp, AppApi {
  /** A window with a document in it, by default of the owner. */
  show(documentId: string, options?: ShowOptions): Promise<Page>
}

interface ShowOptions extends Omit<OpenOptions, 'isShared' | 'isSignedOut'> {
  person?: Person
}

export function useEditor(start: () => Promise<Demo>, defaults?: AppOptions): EditorApp {
  const app = useApp(start, defaults)
  const api = createAppApi(() => app.demo)
  const editor = {
    ...api,
    async show(documentId: string, { person, ...options }: ShowOptions = {}) {
      const page = await app.open({ isSignedOut: true, ...options })
      await page.context().addCookies(toCookies(person ?? (await api.owner()), app.demo.address))
      await page.goto(`/documents/${documentId}`)
      await page.locator('.react-flow__pane').waitFor()
      return page
    },
  }
  // The demo is there only once it is started.
  return Object.defineProperties(editor, Object.getOwnPropertyDescriptors(app)) as typeof editor & StartedApp
}

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
