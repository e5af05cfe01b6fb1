import type { Command, CommandContext } from '../command-context.ts'
import { findDocument } from '../find/find-document.ts'
import { openInBrowser } from '../output/open-in-browser.ts'

/** `meadow open` opens the page of a document. */
export const openCommand: Command = {
  name: 'open',
  description: 'Open a document in the browser. Prints the address, too.',
  arguments: { '<document>': 'The document.' },
  options: { '--print': 'Print the address only.' },
  examples: ['meadow open Tower', 'meadow open Tower --print'],
  run: openDocument,
}

async function openDocument(
  { openMeadow, output, signal }: CommandContext,
  name: string,
  { print }: { print?: true },
): Promise<void> {
  const meadow = await openMeadow()
  const id = await findDocument(meadow, name, signal)
  const url = `${meadow.baseUrl}/documents/${encodeURIComponent(id)}`
  await output.data({ id, url }, () => url)
  if (print) return
  await openInBrowser(url, output)
}
