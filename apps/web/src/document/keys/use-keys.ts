import { getHotkeyHandler, type HotkeyItem, readLocalStorageValue } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { useRemembered } from '../../shell/first-render.ts'

/** A part of the page that has shortcuts of one character, as its `data-keys` names it; `page`: nothing has the focus. */
type KeyArea = 'graph' | 'model' | 'comparison' | 'page'

interface CharacterShortcut {
  /** The key, in lower case if it is a letter. */
  key: string
  /** What the help says of it. */
  does: string
  /** The areas of the page where the focus has to be. */
  in: readonly KeyArea[]
}

const within =
  (...areas: KeyArea[]) =>
  (key: string, does: string): CharacterShortcut => ({ key, does, in: areas })
const inModel = within('model')
const inDocument = within('graph', 'model', 'page')
const inComparison = within('comparison', 'graph', 'page')

/**
 * All shortcuts that are one character, which speech input and shaking hands type by mistake (WCAG 2.2, 2.1.4). They act in
 * their area only, and one switch turns them off: new ones belong into this list, which the help shows.
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

interface Command {
  /** As `getHotkeyHandler` takes them: `mod` is Ctrl, or Cmd on a Mac. None are what nodes, panels and the browser take. */
  keys: readonly string[]
  does: string
  /** How the help writes it, where that is not what `keys` are. */
  written?: string
  /** Whether the browser acts on the key as well, as menus, lists and splitters do on arrows. */
  keepsDefault?: boolean
}

const on = (keys: string, does: string): Command => ({ keys: keys.split(', '), does })
const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const taken = (written: string, does: string): Command => ({ keys: [], written, does })

/** The keys of the editor that have a name or are pressed with Ctrl, in the order of the help, which shows all of them. */
export const COMMANDS = {
  addComponent: on('mod+Space', 'Add a component'),
  browse: on('mod+b', 'Show or hide all components'),
  find: on('mod+f', 'Search in the graph: by name, component, text or value'),
  goToNodes: taken('Tab, then Ctrl arrow', 'Go to the nodes, from one to the next'),
  choose: taken('Space, then arrows', 'Select the node, then move the selected nodes'),
  nudge: {
    keys: [...ARROWS, ...ARROWS.map((arrow) => `shift+${arrow}`)],
    does: 'Move the selected nodes a little, or more',
    written: 'Arrows, Shift arrows',
    keepsDefault: true,
  },
  open: taken('Enter', 'Edit a text, slider or list, open a cluster, or see the properties of another node'),
  inspect: on('mod+i', 'See the properties of the selected node'),
  leave: on('Escape', 'Select no nodes; in a cluster, go back to the graph around it'),
  closePanel: taken('Escape, in a panel at the side', 'Close it, and go on where it was opened'),
  remove: on('Delete, Backspace', 'Delete the selected nodes and wires'),
  clip: taken('Ctrl C, X, V', 'Copy, cut and paste, also between documents'),
  duplicate: on('mod+d', 'Duplicate'),
  undo: on('mod+z', 'Undo your own edits'),
  redo: on('mod+shift+z, mod+y', 'Redo your own edits'),
  selectAll: on('mod+a', 'Select all nodes'),
  group: on('mod+g', 'Group'),
  ungroup: on('mod+shift+g', 'Ungroup'),
  enable: on('mod+e', 'Enable or disable'),
  preview: on('mod+q', 'Show or hide the geometry'),
} satisfies Record<string, Command>

type CommandKey = keyof typeof COMMANDS

/** How the help writes the keys of a command. */
export const writeCommand = ({ keys, written }: Command): string =>
  written ??
  keys
    .map((key) =>
      key
        .replace('mod', 'Ctrl')
        .split('+')
        .map((part) => part[0]!.toUpperCase() + part.slice(1))
        .join(' '),
    )
    .join(', ')

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

type Actions = Partial<Record<CommandKey | CharacterKey, (event: KeyboardEvent) => void>>

/** What shortcuts of a page do: commands, except where somebody types, and those of one character. */
export function useKeys(actions: Actions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!takesKeys(event.target))
      getHotkeyHandler(
        Object.entries<Command>(COMMANDS).flatMap(([name, { keys, keepsDefault = false }]) => {
          const act = actions[name as CommandKey]
          return act ? keys.map((key): HotkeyItem => [key, act, { preventDefault: !keepsDefault }]) : []
        }),
      )(event)
    const characters = Object.keys(CHARACTER_KEYS) as CharacterKey[]
    const name = findCharacterKey(
      event,
      characters.filter((name) => actions[name]),
    )
    if (name === undefined) return
    event.preventDefault()
    actions[name]?.(event)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.documentElement.addEventListener('keydown', listen)
    return () => document.documentElement.removeEventListener('keydown', listen)
  }, [])
}
