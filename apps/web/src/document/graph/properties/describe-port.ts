import type { Node } from '@meadow/contract'
import type { PaletteKind } from '../../../api/palette-query.ts'
import { listPorts } from '../layout/node-box.ts'

/** What the palette says of a port of a node; undefined for ports that somebody added or that it has no text for. */
export function describePort(kind: PaletteKind, node: Node, portId: string): string | undefined {
  for (const side of ['inputs', 'outputs'] as const) {
    const index = listPorts(node[side]).indexOf(portId)
    if (index < 0) continue
    const { name } = node.ports[portId] ?? {}
    const port = kind[side].find((own) => own.name === name) ?? kind[side][index]
    return port?.description || undefined
  }
  return undefined
}
