import { useEffect } from 'react'

/** Sets the title of the page. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Meadow` : 'Meadow'
  }, [title])
}
