import type { GraphContent } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { READ_FILE } from '../kinds/text/read-file.ts'

/**
 * The texts of files beside a document, or why one cannot be read, by their names in lower case. A fault completes "The
 * file …".
 */
export type FilesBeside = ReadonlyMap<string, { text: string } | { fault: string }>

/** Names of files are shorter on all systems. */
const MAX_NAME_LENGTH = 255

/** Returns the name of a file without the folders of its path, which is of any system. */
export const nameOfPath = (path: string): string =>
  path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()

/** Whether an enabled node of a document, or of its clusters, reads files. */
export function readsFiles({ nodes }: GraphContent, clusters?: ClusterContents): boolean {
  return (
    Object.values(nodes).some(({ templateId, status }) => status.isEnabled && templateId === READ_FILE) ||
    [...(clusters?.values() ?? [])].some(
      (cluster) => !('unknown' in cluster) && readsFiles(cluster.content, cluster.clusters),
    )
  )
}

/** Decodes a text as .NET does: UTF-16 where it begins with a byte order mark of that, otherwise UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const isLittle = first === 0xff && second === 0xfe
  const isBig = first === 0xfe && second === 0xff
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}
