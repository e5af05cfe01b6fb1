import type { PortReference } from '@meadow/contract'
import type { NodePorts } from './assign-ports.ts'
import type { Report } from './repair.ts'

/** The pins of existing ports, each once. */
export function repairPins(
  pins: PortReference[],
  ports: ReadonlyMap<string, NodePorts>,
  report: Report,
): PortReference[] {
  const seen = new Set<string>()
  return pins.filter((pin) => {
    const node = ports.get(pin.nodeInstanceId)
    const exists = node?.inputs.has(pin.portInstanceId) || node?.outputs.has(pin.portInstanceId)
    const isValid = exists && !seen.has(pin.portInstanceId)
    if (isValid) seen.add(pin.portInstanceId)
    else report({ kind: 'pin_dropped', ...pin })
    return isValid
  })
}
