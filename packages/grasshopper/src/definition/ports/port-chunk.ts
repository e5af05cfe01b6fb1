import type { Chunk } from '../../archive/archive.ts'

/** Where the file tells of a port. */
export interface PortChunk {
  /** The key that wires use: the port's InstanceGuid, for a parameter object the object's own. */
  id: string
  /** What holds its items: a `param_input`, an `InputParam`, the Container of a parameter object. */
  chunk: Chunk
  /** The name of its parameter type, where the kind of object or the file tells. */
  typeName?: string
}

/** The ports of an object, each side in order. The one port of a parameter object may stand on both. */
export interface ObjectPorts {
  inputs: PortChunk[]
  outputs: PortChunk[]
}
