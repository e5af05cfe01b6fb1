import type { Node, PortReference } from '@meadow/contract'

/** A node on the canvas. As an input of another it stands for its first output. */
export interface Drawn extends PortReference {
  /** The output of this name. Throws for a name that the node has not. */
  out(portName: string): PortReference
}

export function toDrawn(node: Node): Drawn {
  const outputs = Object.keys(node.outputs)
  const nodeInstanceId = node.instanceId
  return {
    nodeInstanceId,
    portInstanceId: outputs[0] ?? nodeInstanceId,
    out: (portName) => {
      const portInstanceId = outputs.find((id) => node.ports[id]?.name === portName)
      if (portInstanceId) return { nodeInstanceId, portInstanceId }
      throw new Error(`${node.name} has no output "${portName}".`)
    },
  }
}
