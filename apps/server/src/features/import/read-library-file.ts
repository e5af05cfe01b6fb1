import type { FileFacts, FileKind, TextKind } from '@meadow/contract/web'
import { findComponentName, findScript } from '@meadow/document'
import { type LibraryItem, readClusterFile, readUserObject } from '@meadow/grasshopper'
import { readModelSummary } from '@meadow/model'
import { countLines, decodeText } from '@meadow/solver'
import type { ParsedFile } from './definition-parser.ts'
import { ImportError } from './import-result.ts'

/** Reads a file of the tree that is not a definition. Throws an error whose message says why it cannot be read. */
export function readLibraryFile(bytes: Uint8Array, kind: FileKind): ParsedFile {
  switch (kind) {
    case 'model':
      return readModelSummary(bytes)
    case 'user_object': {
      const item = readUserObject(bytes)
      const facts = {
        kind,
        ...describe(item),
        category: cut(item.category),
        subcategory: cut(item.subcategory),
        componentId: item.baseId,
        componentName: findComponentName(item.baseId) ?? findScript(item.baseId)?.name ?? null,
      } as const
      return toFile(item, facts)
    }
    case 'cluster': {
      const item = readClusterFile(bytes)
      return toFile(item, { kind, ...describe(item) })
    }
    case 'text':
    case 'csv':
      return readTextFile(bytes, kind)
  }
}

function readTextFile(bytes: Uint8Array, kind: TextKind): ParsedFile {
  const text = decodeText(bytes)
  if (text.includes('\0')) throw new ImportError('it is not a text')
  const start = text.slice(0, MAX_START_LENGTH).toWellFormed()
  return { facts: { kind, lines: countLines(text), start }, objectIds: [] }
}

function describe({ name, nickName, description, author, clusters }: LibraryItem) {
  const [cluster] = clusters.values()
  return {
    name: cut(name),
    nickname: cut(nickName),
    description: cut(description, MAX_DESCRIPTION_LENGTH),
    author: cut([author?.name, author?.company].filter(Boolean).join(', ')) || null,
    nodes: cluster && 'content' in cluster ? Object.keys(cluster.content.nodes).length : null,
  }
}

const MAX_TEXT_LENGTH = 200
const MAX_DESCRIPTION_LENGTH = 5000
const MAX_START_LENGTH = 2000

/** People typed it: it is as long as they wanted. */
const cut = (text: string, maxLength = MAX_TEXT_LENGTH): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`

const toFile = ({ icon }: LibraryItem, facts: FileFacts): ParsedFile => ({
  facts,
  objectIds: [],
  ...(icon && { thumbnail: Uint8Array.from(icon) }),
})
