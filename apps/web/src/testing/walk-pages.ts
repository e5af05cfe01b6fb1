import type { Page } from 'playwright-core'
import type { Look } from './sights.ts'

interface PagesWalk {
  /** Pages alone, without the dialogs and menus in them, in windows of the size of the first. */
  onlyPages?: boolean
}

/** Shows every page outside of the editor, and every dialog and menu in them, to a signed-in owner of the demo. */
export async function walkPages(
  page: Page,
  look: Look,
  { onlyPages = false }: PagesWalk = {},
): Promise<void> {
  await walkFolders(page, look, onlyPages)
  await walkSettings(page, look, onlyPages)
  await page.goto('/account')
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await look(page, 'account')
  await page.goto('/account/security')
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
  await look(page, 'security')
  if (!onlyPages) {
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await look(page, 'authenticator', { isPopup: true })
  }
  await walkDevice(page, look)
  await page.goto('/nothing')
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  await look(page, 'not-found')
}

async function walkDevice(page: Page, look: Look): Promise<void> {
  await page.goto('/device')
  await page.getByRole('textbox', { name: 'Code' }).waitFor()
  await look(page, 'device-code')
  const form = { client_id: 'meadow login', device_name: 'studio-7' }
  const { user_code } = await (await page.request.post('/oauth/device_authorization', { form })).json()
  await page.getByRole('textbox', { name: 'Code' }).fill(user_code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Confirm' }).waitFor()
  await look(page, 'device')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByRole('status').filter({ hasText: 'Refused' }).waitFor()
  await look(page, 'device-refused')
}

async function walkFolders(page: Page, look: Look, onlyPages: boolean): Promise<void> {
  await page.goto('/')
  await page.getByRole('table', { name: 'Contents' }).waitFor()
  await look(page, 'folder', { picture: { dark: true } })
  if (!onlyPages) await walkFolderDialogs(page, look)
  await page.getByRole('button', { name: 'Actions for Branching column', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
  await remove.waitFor()
  if (!onlyPages) await look(page, 'Delete dialog', { isPopup: true })
  await remove.click()
  await page.getByRole('button', { name: 'Actions for Branching column' }).waitFor({ state: 'detached' })
  await page.getByRole('searchbox').fill('tower')
  await page.getByRole('search').getByRole('link').first().waitFor()
  await look(page, 'search', { picture: {} })
  await page.getByRole('searchbox').fill('')
  await walkUses(page, look)
  await page.getByRole('link', { name: 'Bin' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Branching column' })
  await row.waitFor()
  await look(page, 'bin', { picture: {} })
  if (!onlyPages) {
    await row.getByRole('button', { name: /permanently/ }).click()
    await page.getByRole('dialog').waitFor()
    await look(page, 'Delete permanently', { isPopup: true })
    await close(page)
  }
  await row.getByRole('button', { name: /Restore/ }).click()
  await page.getByText('The bin is empty.').waitFor()
  await look(page, 'empty-bin')
}

async function walkFolderDialogs(page: Page, look: Look): Promise<void> {
  await page.getByRole('table').getByRole('link', { name: 'Structures' }).click()
  await page.getByRole('heading', { level: 1, name: 'Structures' }).waitFor()
  // The link that had the focus is gone.
  await page.locator('main:focus').waitFor()
  await page.getByRole('link', { name: 'Folders' }).click()
  for (const name of ['New folder', 'New document']) {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
    await look(page, name, { isPopup: true })
    await close(page)
  }
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await look(page, 'account-menu', { isPopup: true })
  await page.keyboard.press('Escape')
  const actions = page.getByRole('button', { name: 'Actions for Branching column', exact: true })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  await look(page, 'item-menu', { isPopup: true })
  await page.keyboard.press('Escape')
  for (const name of ['Rename', 'Move']) {
    await actions.click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('dialog').getByRole('button', { name }).waitFor()
    if (name === 'Move') await page.getByRole('combobox', { name: 'To the folder' }).click()
    await look(page, `${name} dialog`, { isPopup: true })
    if (name === 'Move') await page.getByRole('option', { name: 'Structures' }).click()
    await close(page)
    await page.locator('button:focus[aria-label="Actions for Branching column"]').waitFor()
  }
}

async function walkUses(page: Page, look: Look): Promise<void> {
  await page.getByRole('link', { name: 'Uses' }).click()
  await page.getByRole('heading', { level: 1, name: 'Uses' }).waitFor()
  await page.getByRole('searchbox').fill('number sli')
  await page.getByRole('link', { name: /^Number Slider/ }).waitFor()
  await look(page, 'uses-suggestions')
  await page.getByRole('link', { name: /^Number Slider/ }).click()
  await page.getByRole('region', { name: 'Documents' }).getByRole('listitem').first().waitFor()
  await look(page, 'uses')
}

async function walkSettings(page: Page, look: Look, onlyPages: boolean): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click()
  for (const name of ['General', 'Members', 'API tokens', 'Webhooks', 'Credits', 'Audit log']) {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('tabpanel', { name }).waitFor()
    const storage = page.getByRole('region', { name: 'Storage' })
    await look(page, `settings-${name.toLowerCase().replace(' ', '-')}`, {
      ...(name === 'General' && { picture: { mask: [storage] } }),
    })
    if (name === 'Members') await showInvitation(page, look, onlyPages)
    if (name === 'API tokens' && !onlyPages) await showNewToken(page, look)
  }
}

async function showInvitation(page: Page, look: Look, onlyPages: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = (await page.getByTestId('invitation').textContent())!.trim()
  await look(page, 'invitation-link')
  const guest = await page
    .context()
    .browser()!
    .newContext({
      reducedMotion: 'reduce',
      ...(onlyPages && { viewport: page.viewportSize() }),
    })
  const invited = await guest.newPage()
  await invited.goto(link)
  await invited.getByLabel('Your name').waitFor()
  await look(invited, 'invitation', { picture: {} })
  await guest.close()
}

async function showNewToken(page: Page, look: Look): Promise<void> {
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Looked at')
  await look(page, 'new-token', { isPopup: true })
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByTestId('secret').waitFor()
  await look(page, 'token-secret', { isPopup: true })
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Revoke Looked at' }).click()
  await page.getByRole('dialog').waitFor()
  await look(page, 'revoke-token', { isPopup: true })
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Closes the dialog that is open. */
export async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
