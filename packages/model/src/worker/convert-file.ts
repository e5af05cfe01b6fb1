import type { DimensionStyle, File3dm } from 'rhino3dm'
import type { ModelOptions } from '../file/model-input.ts'
import { hold, type Library } from './library.ts'
import { writeBytes } from './write-bytes.ts'

/** A file of ours in another archive version. */
export function convertFile(
  { rhino }: Library,
  bytes: Uint8Array,
  archiveVersion: ModelOptions['archiveVersion'],
): Uint8Array<ArrayBuffer> {
  // The types do not tell that it can be null.
  using file = hold(rhino.File3dm.fromByteArray(bytes)) as (File3dm & Disposable) | null
  if (!file) throw new Error('openNURBS cannot read the file.')
  dropDimensionStyles(file)
  return writeBytes(rhino, file, archiveVersion)
}

/**
 * Ours have none; but whatever is read gets one from the library, with a random id, so that the same file would never
 * be written the same again.
 */
function dropDimensionStyles(file: File3dm): void {
  using styles = hold(file.dimstyles())
  for (let i = styles.count - 1; i >= 0; i--) {
    using style = hold(styles.get(i) as DimensionStyle & { id: string })
    styles.delete(style.id)
  }
}
