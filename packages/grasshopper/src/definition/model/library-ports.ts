import { findComponent, type LibraryPort } from '@meadow/document'

type Ports = Readonly<Record<'input' | 'output', readonly LibraryPort[]>>

/** The ports that a new component of this class has. */
export function findDeclaredPorts(classId: string): Ports | undefined {
  const kind = findComponent(classId)
  return kind && { input: kind.inputs, output: kind.outputs }
}

/** The ports that each component of this class has; undefined if they are variable or unknown. */
export function findLibraryPorts(classId: string): Ports | undefined {
  return findComponent(classId)?.portStorage === 'fixed' ? findDeclaredPorts(classId) : undefined
}
