import { getHotkeyHandler, type HotkeyItem, readLocalStorageValue, useLocalStorage } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'

/** A part of the page that has shortcuts of one character, as its `data-keys` names it; `page`: nothing has the focus. */
type KeyPlace = 'graph' | 'model' | 'comparison' | 'page'

interface CharacterShortcut {
  /** Letters in lower case. */
  key: string
  does: string
  /** Where the focus has to be. */
  in: readonly KeyPlace[]
}

const inModel = (key: string, does: string): CharacterShortcut => ({ key, does, in: ['model'] })
const inDocument = (key: string, does: string): CharacterShortcut => ({
  ...{ key, does },
  in: ['graph', 'model', 'page'],
})
const inComparison = (key: string, does: string): CharacterShortcut => ({
  ...{ key, does },
  in: ['comparison', 'graph', 'page'],
})

/**
 * All shortcuts that are one character, which speech input and shaking hands type by mistake (WCAG 2.2, 2.1.4). They act in
 * their place only, and one switch turns them off: new ones belong into this list.
 */
export const CHARACTER_KEYS = {
  addNode: inDocument('/', 'Add a component'),
  pin: { key: 'p', does: 'Pin the selected nodes to the player, or unpin them', in: ['graph', 'page'] },
  comment: inDocument('c', 'Comment: click a node, a group or the geometry'),
  views: inDocument(
    'v',
    'Show or hide the named views: arrows and Enter go to one, F2 renames, Delete deletes',
  ),
  help: inDocument('?', 'This help'),
  nextChange: inComparison('n', 'Go to the next change'),
  previousChange: inComparison('p', 'Go to the previous change'),
  fit: inModel('f', 'Fit the view'),
  hide: inModel('h', 'Hide the selected objects'),
  isolate: inModel('i', 'Show only the selected objects'),
  showAll: inModel('a', 'Show all objects'),
  section: inModel('s', 'Cut with a section plane'),
  colour: inModel('d', 'Colour by data'),
  measure: inModel('m', 'Measure'),
  parallel: inModel('p', 'Parallel or perspective'),
  zoomIn: inModel('+', 'Zoom in'),
  zoomOut: inModel('-', 'Zoom out'),
  perspective: inModel('0', 'Perspective'),
  top: inModel('1', 'Look from the top'),
  front: inModel('2', 'Look from the front'),
  right: inModel('3', 'Look from the right'),
  back: inModel('4', 'Look from the back'),
  left: inModel('5', 'Look from the left'),
  bottom: inModel('6', 'Look from below'),
} satisfies Record<string, CharacterShortcut>

export type CharacterKey = keyof typeof CHARACTER_KEYS

/** How menus and the help write a key. */
export const writeKey = (name: CharacterKey): string => CHARACTER_KEYS[name].key.toUpperCase()

const STORED = { key: 'meadow.single-keys', defaultValue: true }

/** Whether shortcuts of one character act: remembered in this browser. */
export const useCharacterKeysSwitch = () => useLocalStorage({ ...STORED, getInitialValueInEffect: false })

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
  return name && isInPlace(event.target, CHARACTER_KEYS[name]) && readLocalStorageValue(STORED)
    ? name
    : undefined
}

/** The other character of a key, so that Shift makes no difference to zooming. */
const SAME_KEYS: Record<string, string> = { '=': '+', _: '-' }

const CONTROLS =
  'a[href], button, input:not([type=range]), textarea, select, summary, [contenteditable], [role=menu], [role=listbox], [role=dialog]'

/** Whether the focus is in a place of a shortcut, and there not in a control. */
function isInPlace(target: EventTarget | null, { in: places }: CharacterShortcut): boolean {
  if (!(target instanceof Element)) return false
  const nearest = target.closest<HTMLElement>(`[data-keys], ${CONTROLS}`)
  const place = target === document.body ? 'page' : nearest?.dataset.keys
  return places.some((name) => name === place)
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
