import type { Output } from '@meadow/command'

/** Opens an address in the browser. Warns when none can be started. */
export async function openInBrowser(url: string, output: Pick<Output, 'warning'>): Promise<void> {
  const { default: open } = await import('open')
  const browser = await open(url)
  // Without a browser, the user can still open the printed address.
  browser.on('error', () => output.warning('No browser could be started: open the address yourself.'))
  browser.unref()
}
