import type { DataTree } from '@meadow/contract'
import type { PortSummary } from '@meadow/contract/web'
import { JsonCursor } from '../../../platform/json/json-cursor.ts'

/** A page of the values of a port. */
export interface PortPage extends PortSummary {
  tree: DataTree
  /** The index of the first value in its branch. */
  firstIndex: number
  /** The position at which the next page starts; null on the last page. */
  next: number | null
}

export interface PageRequest {
  /** The position of the first value, counted through all branches. */
  from: number
  limit: number
}

const NULL_FIRST_CHARACTER = 'n'.charCodeAt(0)

/** The offsets of the trees of ports in the body of a solution's values (decision 24), by `toPortKey`. */
export function indexPorts(body: Buffer): Map<string, number> {
  const starts = new Map<string, number>()
  const cursor = new JsonCursor(body)
  for (const member of cursor.keys()) {
    if (member !== 'data') {
      cursor.skip()
      continue
    }
    for (const nodeInstanceId of cursor.keys()) {
      if (nodeInstanceId === 'solutionId') {
        cursor.skip()
        continue
      }
      for (const portInstanceId of cursor.keys()) {
        starts.set(toPortKey(nodeInstanceId, portInstanceId), cursor.at)
        cursor.skip()
      }
    }
  }
  return starts
}

export const toPortKey = (nodeInstanceId: string, portInstanceId: string): string =>
  JSON.stringify([nodeInstanceId, portInstanceId])

/** Reads a page of the tree at offset `at`; values outside of the page are only counted. */
export function readPage(body: Buffer, at: number, { from, limit }: PageRequest): PortPage {
  const cursor = new JsonCursor(body)
  cursor.at = at
  const page: PortPage = {
    branches: 0,
    values: 0,
    nulls: 0,
    tree: { branches: [] },
    firstIndex: 0,
    next: null,
  }
  const to = from + limit
  const readBranch = (path: string) => {
    const first = page.values
    const texts: string[] = []
    for (const index of cursor.items()) {
      const start = cursor.at
      cursor.skip()
      if (body[start] === NULL_FIRST_CHARACTER) page.nulls++
      const number = page.values++
      if (number < from || number >= to) continue
      if (number === from) page.firstIndex = index
      texts.push(body.toString('utf8', start, cursor.at))
    }
    const isEmpty = page.values === first
    if (texts.length > 0 || (isEmpty && first >= from && first < to)) {
      page.tree.branches.push({ path, values: JSON.parse(`[${texts.join()}]`) })
    }
  }
  for (const member of cursor.keys()) {
    if (member !== 'branches') {
      cursor.skip()
      continue
    }
    for (const _ of cursor.items()) {
      page.branches++
      let path = ''
      for (const part of cursor.keys()) {
        if (part === 'path') path = cursor.readString()
        else if (part === 'values') readBranch(path)
        else cursor.skip()
      }
    }
  }
  if (page.values > to) page.next = to
  return page
}
