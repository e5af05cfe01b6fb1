import type { KeyboardEvent } from 'react'

/** Arrow keys move the focus between a search field and the links to what it found, from controls beside a link as from it. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const target = event.target as HTMLElement
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input[type=search], a:first-of-type')]
  const from = stops.includes(target) ? target : target.closest('li')?.querySelector('a')
  const next = step && from && stops[stops.indexOf(from) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
