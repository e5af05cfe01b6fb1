import { useState } from 'react'
import { SORT_KEYS, type Sort } from './list-items.ts'

/** How a person looks at lists. */
export interface ViewPreferences {
  sort: Sort
  view: 'table' | 'grid'
}

const DEFAULTS: ViewPreferences = { sort: { key: 'name', isDescending: false }, view: 'table' }

const keyOf = (userId: string) => `meadow.lists.${userId}`

/** Returns how a person looks at lists, which this browser remembers, and a way to change it. */
export function useViewPreferences(
  userId: string,
): [ViewPreferences, (next: Partial<ViewPreferences>) => void] {
  const [preferences, setPreferences] = useState(() => read(userId))
  return [
    preferences,
    (next) => {
      const changed = { ...preferences, ...next }
      setPreferences(changed)
      try {
        localStorage.setItem(keyOf(userId), JSON.stringify(changed))
      } catch {
        // The browser stores nothing, or no more, so the choice is only that of this page.
      }
    },
  ]
}

function read(userId: string): ViewPreferences {
  try {
    const { sort, view }: Partial<ViewPreferences> = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '{}')
    return {
      sort:
        sort && SORT_KEYS.includes(sort.key)
          ? { key: sort.key, isDescending: sort.isDescending === true }
          : DEFAULTS.sort,
      view: view === 'grid' ? 'grid' : 'table',
    }
  } catch {
    return DEFAULTS
  }
}
