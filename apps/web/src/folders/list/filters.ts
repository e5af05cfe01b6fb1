import {
  type FolderFilters,
  NARROWING_FILTERS,
  type NarrowingFilter,
  type SolveSummary,
} from '@meadow/contract/web'
import { useSearchParams } from 'react-router'

const NAMES = [...NARROWING_FILTERS, 'subfolders'] as const

export const STATE_LABELS: Record<NonNullable<FolderFilters['state']>, string> = {
  solved: 'Solved',
  incomplete: 'Incomplete',
  failed: 'Failed',
  never: 'Not solved',
  solving: 'Solving',
}

/** The filter that finds a document with this state. */
export function toStateFilter({ solve, completeness }: SolveSummary): NonNullable<FolderFilters['state']> {
  if (solve === 'queued' || solve === 'running') return 'solving'
  if (solve !== 'solved') return solve
  return !completeness || (completeness.valuesComplete && completeness.failed === 0) ? 'solved' : 'incomplete'
}

export const KIND_LABELS: Record<NonNullable<FolderFilters['kind']>, string> = {
  document: 'Documents',
  model: 'Models',
  library_item: 'Library items',
  text: 'Texts and tables',
}

export const FILTER_LABELS: Record<NarrowingFilter, string> = {
  state: 'State',
  author: 'Changed by',
  creator: 'Created by',
  plugin: 'Plug-in',
  kind: 'Kind',
}

/** The filters in the address, so that a filtered list can be sent to others. What is not a filter is ignored. */
export function useFilters(): [
  FolderFilters,
  (next: Partial<Record<keyof FolderFilters, string | null>>) => void,
] {
  const [params, setParams] = useSearchParams()
  const filters: Record<string, string> = {}
  for (const name of NAMES) {
    const value = params.get(name)
    if (value && isAcceptable(name, value)) filters[name] = value
  }
  return [
    filters as FolderFilters,
    (next) => {
      // The address has the last choice before the page shows it: two quick ones must not lose the first.
      const after = new URLSearchParams(window.location.search)
      for (const [name, value] of Object.entries(next)) {
        if (value) after.set(name, value)
        else after.delete(name)
      }
      setParams(after, { replace: true, preventScrollReset: true })
    },
  ]
}

function isAcceptable(name: (typeof NAMES)[number], value: string): boolean {
  if (name === 'state') return value in STATE_LABELS
  if (name === 'kind') return value in KIND_LABELS
  return name === 'subfolders' ? value === '1' : value.length <= 100
}
