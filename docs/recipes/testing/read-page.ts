import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A fenced block of a page. */
export interface Block {
  language: string
  /** What is behind the language: `not-run`, or what the block needs. */
  note: string
  code: string
}

/** The blocks of a page, by its path from the folder of recipes, in their order. */
export function readBlocks(page: string): Block[] {
  const text = readFileSync(resolve(import.meta.dirname, '..', page), 'utf8')
  return [...text.matchAll(/^```(\w+) ?([\w-]*)\n(.*?)^```$/gms)].map(([, language, note, code]) => ({
    language: language!,
    note: note!,
    code: code!,
  }))
}

/** The blocks of a language, each with the block of what it prints, if that comes next. */
export function readPrinted(page: string, language: string, printed: string) {
  const blocks = readBlocks(page)
  return blocks.flatMap((block, index) => {
    const next = blocks[index + 1]
    if (block.language !== language || block.note === 'not-run') return []
    return [{ ...block, printed: next?.language === printed ? next.code : undefined }]
  })
}
