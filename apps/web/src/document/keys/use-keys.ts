import { getHotkeyHandler, type HotkeyItem, readLocalStorageValue } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { useRemembered } from '../../shell/first-render.ts'

/** A part of the page that has shortcuts of one character, as its `data-keys` names it; `page`: nothing has the focus. */
type KeyArea = 'graph' | 'model' | 'comparison' | 'page'

interface CharacterShortcut {
  /** The key, in lower case if it is a letter. */
  key: string
  /** The areas of the page where the focus has to be. */
  in: readonly KeyArea[]
}

const inModel = (key: string): CharacterShortcut => ({ key, in: ['model'] })
const inDocument = (key: string): CharacterShortcut => ({ key, in: ['graph', 'model', 'page'] })
const inComparison = (key: string): CharacterShortcut => ({ key, in: ['comparison', 'graph', 'page'] })

/**
 * All shortcuts that are one character, which speech input and shaking hands type by mistake (WCAG 2.2, 2.1.4). They act in
 * their area only, and one switch turns them off: new ones belong into this list. The help says what each does.
 */
export const CHARACTER_KEYS = {
  addNode: inDocument('/'),
  pin: { key: 'p', in: ['graph', 'page'] },
  comment: inDocument('c'),
  views: inDocument('v'),
  help: inDocument('?'),
  nextChange: inComparison('n'),
  previousChange: inComparison('p'),
  fit: inModel('f'),
  hide: inModel('h'),
  isolate: inModel('i'),
  showAll: inModel('a'),
  section: inModel('s'),
  colour: inModel('d'),
  measure: inModel('m'),
  parallel: inModel('p'),
  zoomIn: inModel('+'),
  zoomOut: inModel('-'),
  perspective: inModel('0'),
  top: inModel('1'),
  front: inModel('2'),
  right: inModel('3'),
  back: inModel('4'),
  left: inModel('5'),
  bottom: inModel('6'),
} satisfies Record<string, CharacterShortcut>

export type CharacterKey = keyof typeof CHARACTER_KEYS

/** How menus and the help write a key. */
export const writeKey = (name: CharacterKey): string => CHARACTER_KEYS[name].key.toUpperCase()

const STORED = { key: 'meadow.single-keys', defaultValue: true }

/** Whether shortcuts of one character act: remembered in this browser. */
export const useCharacterKeysSwitch = () => useRemembered(STORED.key, STORED.defaultValue)

type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Which of some shortcuts a pressed key is, wherever the focus is. */
export function matchCharacterKey<Name extends CharacterKey>(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress,
  names: readonly Name[],
): Name | undefined {
  if (ctrlKey || metaKey || altKey || (shiftKey && /^\p{Letter}$/u.test(key))) return undefined
  const typed = SAME_KEYS[key] ?? key.toLowerCase()
  return names.find((name) => CHARACTER_KEYS[name].key === typed)
}

/** Which of some shortcuts a pressed key asks for, where the focus is now, and as the switch is. */
export function findCharacterKey<Name extends CharacterKey>(
  event: KeyPress & Pick<KeyboardEvent, 'target'>,
  names: readonly Name[],
): Name | undefined {
  const name = matchCharacterKey(event, names)
  return name && isInArea(event.target, CHARACTER_KEYS[name]) && readLocalStorageValue(STORED)
    ? name
    : undefined
}

/** The other character of a key, so that Shift makes no difference to zooming. */
const SAME_KEYS: Record<string, string> = { '=': '+', _: '-' }

const CONTROLS =
  'a[href], button, input:not([type=range]), textarea, select, summary, [contenteditable], [role=menu], [role=listbox], [role=dialog]'

/** Whether the focus is in an area of a shortcut, and there not in a control. */
function isInArea(target: EventTarget | null, { in: areas }: CharacterShortcut): boolean {
  if (!(target instanceof Element)) return false
  const nearest = target.closest<HTMLElement>(`[data-keys], ${CONTROLS}`)
  const area = target === document.body ? 'page' : nearest?.dataset.keys
  return areas.some((name) => name === area)
}

/** Whether keys are text, or the choice of a list: a slider, which has the focus after a drag, takes arrow keys alone. */
export const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input:not([type=range]), textarea, select') !== null

/** The keyboard shortcuts of a page: combinations and named keys, except where somebody types, and those of one character. */
export function useKeys(
  keys: HotkeyItem[],
  characters: Partial<Record<CharacterKey, (event: KeyboardEvent) => void>> = {},
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!takesKeys(event.target)) getHotkeyHandler(keys)(event)
    const name = findCharacterKey(event, Object.keys(characters) as CharacterKey[])
    if (name === undefined) return
    event.preventDefault()
    characters[name]?.(event)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.documentElement.addEventListener('keydown', listen)
    return () => document.documentElement.removeEventListener('keydown', listen)
  }, [])
}
