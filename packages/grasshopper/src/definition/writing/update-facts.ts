import type { Node } from '@meadow/document'
import { removeItem, setItem, setSwitch } from '../../archive/edit.ts'
import { findItem } from '../../archive/find.ts'
import type { DefinitionObject } from '../objects/definition-object.ts'
import { isOf2011 } from '../objects/place.ts'
import { toText } from './coerce.ts'

/** Writes name, nickname and status where they differ. */
export function updateFacts(object: DefinitionObject, before: Node, after: Node): void {
  const { chunk, container } = object
  if (after.name !== before.name) {
    const name = toText(after.name)
    // Clusters, scripts and user objects are listed under the name that their author gave them.
    if (findItem(chunk, 'Name', 'string') === findItem(container, 'Name', 'string')) {
      setItem(chunk, 'string', 'Name', name)
    }
    setItem(container, 'string', 'Name', name)
  }
  if (after.nickName !== before.nickName) setItem(container, 'string', 'NickName', toText(after.nickName))
  updateStatus(object, before.status, after.status)
}

/** Locked and Hidden stand only where they are on; in 2011 files Enabled and Preview tell. */
function updateStatus({ container }: DefinitionObject, before: Node['status'], after: Node['status']): void {
  const isOld = isOf2011(container)
  if (after.isEnabled !== before.isEnabled) {
    if (isOld) setItem(container, 'bool', 'Enabled', after.isEnabled)
    else setSwitch(container, 'Locked', !after.isEnabled)
  }
  if (after.isPreviewed !== before.isPreviewed) {
    if (isOld) setItem(container, 'bool', 'Preview', after.isPreviewed)
    else setSwitch(container, 'Hidden', !after.isPreviewed)
  }
}

/** The input that the others follow; a component keeps its index. */
export function updatePrincipal({ container }: DefinitionObject, before: Node, after: Node): void {
  const index = findPrincipal(after)
  if (index === findPrincipal(before)) return
  if (index === undefined) removeItem(container, 'PrincipalIndex')
  else setItem(container, 'int32', 'PrincipalIndex', index)
}

function findPrincipal({ inputs, ports }: Node): number | undefined {
  const id = Object.keys(inputs).find((input) => ports[input]?.options?.includes('principal'))
  return id === undefined ? undefined : inputs[id]
}
