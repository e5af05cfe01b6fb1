import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHARACTER_KEYS, type CharacterKey, COMMANDS, matchCharacterKey, writeCommand } from './use-keys.ts'

const NAMES = Object.keys(CHARACTER_KEYS) as CharacterKey[]
const PLAIN = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }

test('[WEB-237] given the list of single keys, then each is one character, and no two of an area are the same', () => {
  const inGraph = NAMES.filter((name) => !['nextChange', 'previousChange'].includes(name))
  for (const area of ['graph', 'model', 'comparison']) {
    const keys = inGraph
      .filter((name) => (CHARACTER_KEYS[name].in as readonly string[]).includes(area))
      .map((name) => CHARACTER_KEYS[name].key)
    assert.equal(new Set(keys).size, keys.length, `${area}: ${keys}`)
    assert.ok(keys.every((key) => key.length === 1 && key === key.toLowerCase()))
  }
})

test('[WEB-237] given a key with Ctrl, Cmd or Alt, or a letter with Shift, then it is no single key; signs are whatever Shift says', () => {
  const press = (key: string, modifiers: Partial<typeof PLAIN> = {}) =>
    matchCharacterKey({ key, ...PLAIN, ...modifiers }, NAMES)
  assert.equal(press('c'), 'comment')
  // With Caps Lock.
  assert.equal(press('C'), 'comment')
  assert.equal(press('C', { shiftKey: true }), undefined)
  assert.deepEqual(
    [press('?', { shiftKey: true }), press('/', { shiftKey: true }), press('=')],
    ['help', 'addNode', 'zoomIn'],
  )
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
    assert.equal(press('c', { [modifier]: true }), undefined, modifier)
  assert.equal(matchCharacterKey({ key: 'p', ...PLAIN }, ['previousChange']), 'previousChange')
  assert.equal(press('Delete'), undefined)
})

test('[WEB-323] given the list of commands, then no two have the same keys, and they are written as they are declared', () => {
  const keys = Object.values(COMMANDS).flatMap(({ keys }) => keys)
  assert.equal(new Set(keys).size, keys.length)
  assert.deepEqual([COMMANDS.redo, COMMANDS.addComponent, COMMANDS.nudge, COMMANDS.clip].map(writeCommand), [
    'Ctrl Shift Z, Ctrl Y',
    'Ctrl Space',
    'Arrows, Shift arrows',
    'Ctrl C, X, V',
  ])
})
