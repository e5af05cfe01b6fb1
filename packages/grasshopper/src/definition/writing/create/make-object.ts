import type { Node } from '@meadow/document'
import type { Chunk } from '../../../archive/archive.ts'
import { CLASS } from '../../objects/class-ids.ts'
import type { Base } from '../base.ts'
import { isGuid } from '../coerce.ts'
import { ensureLibrary } from '../libraries.ts'
import { describeNode, type WriteContext } from '../write-context.ts'
import { cloneObject, findExemplar, keepsMore } from './clone-object.ts'
import { createObject } from './create-object.ts'
import { isBuildable, isStandard, isUnseen } from './known-classes.ts'

const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Whether an object can be made for the node: its class comes with Grasshopper, or with the original, or a plug-in that it names. */
export function isKnown(node: Node, { exemplars }: Pick<Base, 'exemplars'>): boolean {
  const { templateId } = node
  if (!isGuid(templateId) || templateId === CLASS.group) return false
  return isStandard(templateId) || exemplars.has(templateId) || findLibraryId(node) !== undefined
}

/** An object for a node that the file does not hold yet. */
export function makeObject(node: Node, base: Base, { warn }: WriteContext): Chunk {
  const { templateId, instanceId, state } = node
  const canBuild = isBuildable(templateId)
  const exemplar = canBuild ? undefined : findExemplar(node, base)
  if (exemplar) {
    if (keepsMore(exemplar)) {
      const message = `What ${describeNode(node)} keeps beside what the document shows is a copy of what another of its kind does.`
      warn({ kind: 'hidden_content_copied', nodeInstanceId: instanceId, message })
    }
    return cloneObject(node, exemplar)
  }
  if (!canBuild || isUnseen(templateId)) {
    const message = `What ${describeNode(node)} keeps beside what the document shows is not known; the file has none of it.`
    warn({ kind: 'hidden_content_missing', nodeInstanceId: instanceId, message })
  }
  const libraryId = findLibraryId(node) ?? base.exemplars.get(templateId)?.[0]?.object.libraryId
  if (libraryId !== undefined) ensureLibrary(base.definition, libraryId, state?.library)
  return createObject(node, libraryId)
}

/** The plug-in that a node comes from. GhPython is one without an id of its own. */
function findLibraryId({ templateId, state }: Node): string | undefined {
  if (templateId === CLASS.ghPython) return NO_ID
  return state?.kind === 'plugin' && isGuid(state.libraryId) ? state.libraryId : undefined
}
