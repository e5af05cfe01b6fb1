import { createChunk, createItem, ensureChunk, setItem, setItems } from '../../archive/tree/edit.ts'
import { findChunk, listItems } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toList, toRecord, toText } from '../model/coerce.ts'
import type { StateKind } from './state-kind.ts'

export const PATH_MAPPER: StateKind = {
  kind: 'pathMapper',
  classes: [CLASS.pathMapper],
  read({ container }) {
    const lexers = findChunk(container, 'lexers')
    const sources = lexers ? listItems(lexers, 'source', 'string') : []
    const targets = lexers ? listItems(lexers, 'target', 'string') : []
    const rules = sources.map((source, i) => ({
      source: source.toWellFormed(),
      target: (targets[i] ?? '').toWellFormed(),
    }))
    return { kind: 'pathMapper', rules }
  },
  write({ container }, { member }) {
    member('rules', (rules) => {
      const lexers = ensureChunk(container, 'lexers')
      const pairs = toList(rules).map(toRecord)
      const texts = (key: 'source' | 'target') => pairs.map((pair) => toText(pair[key]))
      setItems(lexers, 'string', 'source', texts('source'))
      setItems(lexers, 'string', 'target', texts('target'))
      setItem(lexers, 'int32', 'lexer_count', pairs.length)
    })
  },
  create: () => [createChunk('lexers', [createItem('int32', 'lexer_count', 0)])],
}
