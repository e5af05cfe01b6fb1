import type { File3dm } from 'rhino3dm'
import type { ModelOptions } from '../file/model-input.ts'
import { createFile } from './create-file.ts'
import { hold, type Library } from './library.ts'
import { writeBytes } from './write-bytes.ts'

/**
 * A file of ours in another archive version. It is taken over into a new one: what the library reads and writes again
 * gets a dimension style with a random id, so that no two of the same file would be the same.
 */
export function convertFile(
  { rhino }: Library,
  bytes: Uint8Array,
  archiveVersion: ModelOptions['archiveVersion'],
): Uint8Array<ArrayBuffer> {
  // The types do not tell that it can be null.
  using from = hold(rhino.File3dm.fromByteArray(bytes)) as (File3dm & Disposable) | null
  if (!from) throw new Error('openNURBS cannot read the file.')
  using to = createFile(rhino)
  copyUnits(from, to)
  copyLayers(from, to)
  copyObjects(from, to)
  return writeBytes(rhino, to, archiveVersion)
}

function copyUnits(from: File3dm, to: File3dm): void {
  using before = hold(from.settings())
  using after = hold(to.settings())
  after.modelUnitSystem = before.modelUnitSystem
}

function copyLayers(from: File3dm, to: File3dm): void {
  using before = hold(from.layers())
  using after = hold(to.layers())
  for (let i = 0; i < before.count; i++) {
    using layer = hold(before.get(i))
    after.add(layer)
  }
}

/** The ids of the objects become the library's own. */
function copyObjects(from: File3dm, to: File3dm): void {
  using before = hold(from.objects())
  using after = hold(to.objects())
  for (let i = 0; i < before.count; i++) {
    using object = hold(before.get(i))
    using geometry = hold(object.geometry())
    using attributes = hold(object.attributes())
    after.add(geometry, attributes)
  }
}
