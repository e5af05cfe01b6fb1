import { readFileSync } from 'node:fs'

/*
 * docs/reading-guide.md lists, for a few behaviours, the files to read in order (a walk):
 *
 *   ## Read a folder (at most 12 files)
 *
 *   1. `packages/contract/src/folders.ts`: the endpoint …
 *   2. `apps/server/src/features/folders/folders.routes.ts`, `…/folders.store.ts`
 */

export interface Walk {
  name: string
  /** The maximum number of files that it may list; undefined if the heading has no number. */
  aim: number | undefined
  files: string[]
}

export const readWalks = (): Walk[] => parseWalks(readFileSync('docs/reading-guide.md', 'utf8'))

/**
 * Parses the walks of a page. A walk is a second-level heading with an ordered list below it. Its files are the paths
 * quoted as code in the list.
 */
export function parseWalks(page: string): Walk[] {
  const sections = page.split(/^## +/m).slice(1)
  return sections.map(parseSection).filter(({ files }) => files.length > 0)
}

function parseSection(section: string): Walk {
  const heading = section.split('\n', 1)[0]!
  const aim = /(?:at most|≤) *(\d+)/.exec(heading)?.[1]
  // An item ends where a line without indent begins: the next item, a paragraph, a heading.
  const items = section.match(/^ {0,3}\d+[.)] .*(?:\n[ \t]+\S.*)*/gm) ?? []
  const files = items.flatMap((item) => [...item.matchAll(/`([^`\s]+\/[^`\s]+\.[a-z]+)(?:[:#][^`]*)?`/g)])
  return {
    name: heading.replace(/\s*\(.*/, '').trim(),
    aim: aim === undefined ? undefined : Number(aim),
    files: [...new Set(files.map(([, file]) => file!))],
  }
}
