import type { Chunk } from '../../archive/archive.ts'
import { findChunk, listChunks } from '../../archive/find.ts'
import { findText } from '../text.ts'

/**
 * The port chunks of the unit that is switched on, in components that can be switched between several (Karamba's
 * Loads and Cross Section are such). On the canvas they follow the component's own ports. Those of the other units
 * take no wires.
 */
export function listUnitPorts(container: Chunk, side: 'input' | 'output'): Chunk[] {
  const active = findChunk(container, 'ActiveUnit')
  const units = findChunk(container, 'EvalUnits')
  const name = active && findText(active, 'unitname')
  if (!units || name === undefined) return []
  const unit = listChunks(units, 'unit').find((candidate) => findText(candidate, 'name') === name)
  const params = unit && findChunk(unit, 'params')
  const ports = params && findChunk(params, side)
  return ports ? listChunks(ports, 'p') : []
}
