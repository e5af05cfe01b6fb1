import type { Node } from '@meadow/document'
import type { WriteWarning } from '../written-definition.ts'
import type { FindOpaque } from './values/opaque-items.ts'

/** What the parts of writing one definition share. */
export interface WriteContext {
  warn(warning: WriteWarning): void
  findOpaque: FindOpaque
}

/** How people find a node again: `"Rail" (Curve)`. */
export function describeNode({ name, nickName }: Node): string {
  const shown = nickName === '' || nickName === name ? '' : `"${nickName}" `
  return shown === '' ? name || 'A nameless node' : `${shown}(${name})`
}
