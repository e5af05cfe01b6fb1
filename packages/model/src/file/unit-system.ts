import type { Unit } from '@meadow/contract'
import type { UnitSystem } from 'rhino3dm'

/** The member of Rhino's `UnitSystem`: `PrinterPoints` for `printer points`. */
export function toUnitSystem(unit: Unit): keyof typeof UnitSystem {
  const words = unit.split(' ').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return words.join('') as keyof typeof UnitSystem
}
