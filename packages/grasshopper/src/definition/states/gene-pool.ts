import { createChunk, createItem, ensureChunk, setItem, setItems } from '../../archive/tree/edit.ts'
import { findChunk, listItems } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { findNumber } from './change.ts'
import { decimal, findDecimal, findDecimals, int32, readFields, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const DECIMALS = { decimals: int32('Decimals', 3) }
const RANGE = { minimum: decimal('Minimum'), maximum: decimal('Maximum') }

export const GENE_POOL: StateKind = {
  kind: 'genePool',
  classes: [CLASS.genePool],
  read({ container }) {
    const genes = findChunk(container, 'GeneData')
    return genes && { kind: 'genePool', ...readFields(genes, { ...RANGE, ...DECIMALS }) }
  },
  choose(container) {
    const genes = findChunk(container, 'GeneData')
    const values = genes ? listItems(genes, 'Value', 'decimal') : []
    return values.map((value) => ({ type: 'number', value: Number(value) }))
  },
  write({ container }, change) {
    const genes = ensureChunk(container, 'GeneData')
    writeFields(genes, { ...DECIMALS, ...RANGE }, change)
    if (!change.values) return
    const decimals = findDecimals(genes)
    const texts = change.values.map((value) => findDecimal(findNumber(value) ?? 0, decimals) ?? '0')
    setItems(genes, 'decimal', 'Value', texts)
    setItem(genes, 'int32', 'Count', texts.length)
  },
  create: () => [
    createChunk('GeneData', [
      createItem('int32', 'Count', 0),
      createItem('int32', 'Decimals', 2),
      createItem('decimal', 'Maximum', '100'),
      createItem('decimal', 'Minimum', '0'),
    ]),
  ],
}
