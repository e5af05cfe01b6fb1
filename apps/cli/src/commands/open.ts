import { Command } from 'commander'
import type { CommandContext, StartCommand } from '../command-context.ts'
import { findDocument } from '../find/find-document.ts'
import { withExamples } from '../help.ts'

/** `meadow open` opens the page of a document. */
export const openCommand = (start: StartCommand): Command =>
  withExamples(
    new Command('open')
      .description('Open a document in the browser. Prints the address, too.')
      .argument('<document>', 'The document.')
      .option('--print', 'Print the address only.')
      .action(start(openDocument)),
    'meadow open Tower',
    'meadow open Tower --print',
  )

async function openDocument(
  { openMeadow, output, signal }: CommandContext,
  name: string,
  { print }: { print?: true },
): Promise<void> {
  const meadow = await openMeadow()
  const id = await findDocument(meadow, name, signal)
  const url = `${meadow.baseUrl}/documents/${encodeURIComponent(id)}`
  await output.answer({ json: { id, url }, text: () => url })
  if (print) return
  const { default: open } = await import('open')
  const browser = await open(url)
  // Without a browser, the user can still open the printed address.
  browser.on('error', () => output.warning('No browser could be started: open the address yourself.'))
  browser.unref()
}
