import { findCanvasObject, findComponent, findParameterType, findScript } from '../../catalogue/catalogue.ts'
import type { CataloguePort } from '../../catalogue/port-notation.ts'

interface Named {
  guid: string
  name: string
  nickName: string
}

/** A kind of node that can be made anew. */
export type ComponentLike = Named & { inputs: readonly CataloguePort[]; outputs: readonly CataloguePort[] }
export type ParameterLike = Named & {
  parameter: { typeName: string; hasInput: boolean; hasOutput: boolean }
}
export type Kind = ComponentLike | ParameterLike

/** The kind with this GUID, in lower case; undefined where its ports are not known. */
export function findKind(guid: string): Kind | undefined {
  const component = findComponent(guid)
  if (component) return component
  const type = findParameterType(guid)
  if (type) return { ...type, parameter: { typeName: type.name, hasInput: true, hasOutput: true } }
  const object = findCanvasObject(guid)
  if (object?.parameter) return { ...object, parameter: object.parameter }
  const bare = object ?? findScript(guid)
  // Scripts have the ports that their author gives them; notes have none.
  return bare && { guid, name: bare.name, nickName: bare.name, inputs: [], outputs: [] }
}
