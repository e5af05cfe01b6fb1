import type { Node } from '@meadow/contract'
import { findCanvasObject, findComponentName, findScript, type PluginLibrary } from '@meadow/document'
import { findKind } from '../kinds/index.ts'
import { findUnsupported } from '../kinds/unsupported.ts'
import { CLUSTER } from './solve-cluster.ts'

/**
 * Why the solver has no kind for a node; undefined for nodes that it solves and for nodes without ports, which only
 * decorate the canvas.
 */
export function findUnsupportedReason(node: Node): string | undefined {
  const { templateId, name, inputs, outputs, state } = node
  if (templateId === CLUSTER || findKind(templateId)) return undefined
  if (Object.keys(inputs).length + Object.keys(outputs).length === 0) return undefined
  if (findScript(templateId) || state?.kind === 'script') return 'Scripts are not run'
  const unsupported = findUnsupported(templateId)
  if (unsupported) return `${unsupported.name} is not supported: ${unsupported.reason}`
  const known = findComponentName(templateId) ?? findCanvasObject(templateId)?.name
  const sentence = `${known ?? (name || 'This component')} is not supported`
  const plugin = findPlugin(node)?.name
  return plugin === undefined ? sentence : `${sentence}: it belongs to the plug-in ${plugin}`
}

/** A plug-in, and the version that the file was saved with. */
export interface Plugin {
  readonly name?: string
  readonly version?: string
}

/** The plug-in that a node belongs to; undefined for kinds that come with Grasshopper. */
export function findPlugin({ state }: Node): Plugin | undefined {
  const plugin = state?.kind === 'plugin' ? state : state?.kind === 'valueList' ? state.plugin : undefined
  if (typeof plugin !== 'object' || plugin === null) return undefined
  const { library, version } = plugin as Partial<PluginLibrary>
  return {
    ...(typeof library === 'string' && { name: library }),
    ...(typeof version === 'string' && { version }),
  }
}
