import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { FolderKey } from '../../platform/database/tables.ts'
import { findCode } from '../../platform/system-errors.ts'
import type { ImportResult } from './import-result.ts'

const PAGE = 200

/**
 * The documents that were last imported from the folder `from` and whose files are no longer there. Looks for each
 * file again, so that a folder that cannot be opened today does not count as gone.
 */
export async function* listGone(
  catalogue: Catalogue,
  from: string,
  target: FolderKey,
): AsyncGenerator<ImportResult & { outcome: 'gone' }> {
  let after: string | undefined
  while (true) {
    const page = await catalogue.listImported(target, { from, after, limit: PAGE })
    const missing = await Promise.all(page.map(({ path }) => isMissing(join(from, path))))
    for (const [index, { path, id }] of page.entries()) {
      if (missing[index]) yield { path, outcome: 'gone', documentId: id }
    }
    if (page.length < PAGE) return
    after = page.at(-1)!.path
  }
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return false
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(findCode(error) ?? '')
  }
}
