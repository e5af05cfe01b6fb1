import type { File3dm, RhinoModule } from 'rhino3dm'
import type { ModelOptions } from '../file/model-input.ts'
import { readArchiveVersion } from '../walker/read-archive-version.ts'
import { hold } from './library.ts'

/**
 * The bytes of a file in an archive version, verified in the header: `toByteArray` ignores its argument, and
 * versions above 8 are silently written as 8.
 */
export function writeBytes(
  rhino: RhinoModule,
  file: File3dm,
  version: ModelOptions['archiveVersion'],
): Uint8Array<ArrayBuffer> {
  using options = hold(new rhino.File3dmWriteOptions())
  options.version = version
  const bytes = new Uint8Array(file.toByteArrayOptions(options))
  const written = readArchiveVersion(bytes)
  if (written !== version * 10)
    throw new Error(`An archive of version ${version}0 was asked for, ${written} written.`)
  return bytes
}
