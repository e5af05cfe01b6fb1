/*
 * The parts of the API's responses that this package reads. The types of `@meadow/client` and of `@meadow/contract`
 * have all of them.
 */

/** The response of `readSolution` as JSON. `data` has trees by node id and port id. */
export interface SolutionInput {
  data: { solutionId: string }
  includesGeometry: boolean
}

/** The response of `readSolution` with `format=bimz`. */
export interface BimInput {
  format: 'bimz'
  documentId: string
  solutionId: string
  units: string
  objects: Readonly<Record<string, BimObjectInput>>
}

export interface BimObjectInput {
  id: string
  name: string
  type: string
  value: unknown
  geometry: { data: string } | null
  nodeInstanceId: string
  portInstanceId: string
  path: string
  index: number
}

/** The document in the response of `readDocument`. */
export interface DocumentInput {
  id: string
  name: string
  nodes: Readonly<Record<string, NodeInput>>
}

interface NodeInput {
  instanceId: string
  templateId: string
  name: string
  nickName: string
  status: { isEnabled: boolean; isPreviewed: boolean }
  inputs: Readonly<Record<string, number>>
  sources: Readonly<Record<string, readonly { nodeInstanceId: string; portInstanceId: string }[]>>
  values: Readonly<Record<string, object>>
  ports: Readonly<Record<string, { name: string; options?: readonly string[] | undefined }>>
}
