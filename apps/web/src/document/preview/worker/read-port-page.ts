import { formatPath } from '@meadow/document'
import { countData, type Data, toWireTree } from '@meadow/solver'
import type { PortPage } from '../preview-messages.ts'

/** A page of the values of a port: those from number `from` on, counted through all branches. */
export function readPortPage(data: Data, from: number, limit: number): PortPage {
  const counts = countData(data)
  const page: PortPage = { ...counts, tree: { branches: [] }, firstIndex: 0, next: null }
  const to = from + limit
  let first = 0
  for (const { path, values } of data.branches) {
    const [start, end] = [Math.max(from - first, 0), Math.min(to - first, values.length)]
    const isEmptyHere = values.length === 0 && first >= from && first < to
    if (start < end || isEmptyHere) {
      if (page.tree.branches.length === 0) page.firstIndex = start
      const [branch] = toWireTree({ branches: [{ path, values: values.slice(start, end) }] }).branches
      page.tree.branches.push(branch ?? { path: formatPath(path), values: [] })
    }
    first += values.length
    if (first >= to) break
  }
  if (counts.values > to) page.next = to
  return page
}
