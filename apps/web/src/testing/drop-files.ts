import type { Page } from 'playwright-core'

/**
 * Drops files and folders of this machine on a page, as from a file manager: what the page does not take, the browser
 * opens in its place. `meanwhile` runs while they are held over the page.
 */
export async function dropFiles(
  page: Page,
  files: readonly string[],
  at: { x: number; y: number } = { x: 300, y: 400 },
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devTools.send('Input.dispatchDragEvent', {
      type,
      ...at,
      data: { items: [], files: [...files], dragOperationsMask: 1 },
    })
  await send('dragEnter')
  await send('dragOver')
  await meanwhile?.()
  await send('drop')
  await devTools.detach()
}
