import {
  type CanvasObject,
  type ComponentKind,
  listCanvasObjects,
  listComponents,
  listParameterTypes,
  type ParameterType,
} from '@meadow/document'

/** The component of this name, in its newest version; `Vector/Rotate` where two categories share a name. */
export function getComponent(name: string): ComponentKind {
  const current = listComponents().filter(({ subcategory }) => !subcategory.includes('(old)'))
  return getOnly(current, name, ({ category, ...kind }) => [kind.name, `${category}/${kind.name}`])
}

export function getCanvasObject(name: string): CanvasObject {
  return getOnly(listCanvasObjects(), name, (kind) => [kind.name])
}

export function getParameterType(name: string): ParameterType {
  return getOnly(listParameterTypes(), name, (kind) => [kind.name])
}

function getOnly<T>(kinds: readonly T[], name: string, namesOf: (kind: T) => string[]): T {
  const [found, ...others] = kinds.filter((kind) => namesOf(kind).includes(name))
  if (!found || others.length > 0) throw new Error(`The catalogue has ${found ? 'several' : 'no'} "${name}".`)
  return found
}
