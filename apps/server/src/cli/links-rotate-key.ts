import { Command } from 'commander'
import { createLinkKeyStore } from '../access/link-keys.store.ts'
import type { CommandContext, StartCommand } from './command-context.ts'
import { examples } from './examples.ts'
import { openStorage } from './storage.ts'

/** `meadow-server links rotate-key` */
export const linksRotateKey = (start: StartCommand): Command =>
  new Command('rotate-key')
    .description(
      'Sign links to exports with a new key from now on. Links that exist work until they expire, within the hour.',
    )
    .option('--end-links', 'End all links that exist too, as when a key may be in the wrong hands.')
    .action(start(rotateKey))
    .addHelpText(
      'after',
      examples('meadow-server links rotate-key', 'meadow-server links rotate-key --end-links'),
    )

async function rotateKey({ env, output }: CommandContext, options: { endLinks?: true }): Promise<void> {
  await using storage = await openStorage({ env, output })
  const endLinks = options.endLinks ?? false
  await createLinkKeyStore(storage.database).rotate({ endLinks })
  const said = endLinks ? 'All links that exist have ended.' : 'Links that exist work until they expire.'
  output.data({ rotated: true, endedLinks: endLinks }, () => `Links are signed with a new key. ${said}`)
}
