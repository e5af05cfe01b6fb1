import type { GraphContent } from '@meadow/contract'
import { findPin } from '../facts/pin-key.ts'
import { listKeysByBirth, type Roots } from '../layout.ts'

/** The pins, those of the first content in its order; their ports may be gone. */
export function listPins(pins: Roots['pins']): GraphContent['configuration'] {
  const listed: GraphContent['configuration'] = { inputs: [], outputs: [] }
  for (const key of listKeysByBirth(pins)) {
    const pin = findPin(key)
    if (pin) listed[pin.side].push(pin.port)
  }
  return listed
}
