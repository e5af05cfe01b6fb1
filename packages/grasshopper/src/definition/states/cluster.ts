import { CLASS } from '../model/class-ids.ts'
import { findLinkedPath } from '../model/file-parts.ts'
import type { StateKind } from './state-kind.ts'

/** A cluster behind a password has its document encrypted. Nothing of the state is written. */
export const CLUSTER: StateKind = {
  kind: 'cluster',
  classes: [CLASS.cluster, CLASS.oldCluster],
  read({ container }) {
    const path = findLinkedPath(container)
    return {
      kind: 'cluster',
      isProtected: container.items.some(({ name }) => name === 'EncryptedDocument'),
      ...(path ? { path } : {}),
    }
  },
}
