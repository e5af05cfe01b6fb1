import { getHotkeyHandler, type HotkeyItem } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'

/** Whether keys are text, or the choice of a list: a slider, which has the focus after a drag, takes arrow keys alone. */
export const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input:not([type=range]), textarea, select') !== null

/** Keyboard shortcuts of the document page, except where somebody types. */
export function useKeys(keys: HotkeyItem[]): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!takesKeys(event.target)) getHotkeyHandler(keys)(event)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.documentElement.addEventListener('keydown', listen)
    return () => document.documentElement.removeEventListener('keydown', listen)
  }, [])
}
