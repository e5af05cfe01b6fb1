import { existsSync } from 'node:fs'
import { join } from 'node:path'

/*
 * The programs that check Meadow and are no part of running or of testing it every day: parsers, readers and
 * generators of others, each of which shares no code with what it checks. They are as large as all the rest, so they have a
 * folder of their own, which tools/install-checks.ts fills: `npm run test:all` begins with it.
 */

/** A package of this folder. Its types are not known where it is not installed. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export async function load(name: string): Promise<any> {
  const [, folder] = /^((?:@[^/]+\/)?[^/]+)/.exec(name)!
  const reason = withoutCheck(folder!)
  if (reason) throw new Error(`${reason}.`)
  return import(name)
}

/** For the option `skip` of a test that needs a package of this folder: a reason, or false where it is installed. */
export const withoutCheck = (name: string): string | false =>
  existsSync(join(import.meta.dirname, 'node_modules', name))
    ? false
    : `${name} is not installed: \`npm run install:checks\` brings it`
