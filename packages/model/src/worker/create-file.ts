import type { File3dm, RhinoModule } from 'rhino3dm'
import { hold } from './library.ts'

/** A file without layers and objects, to be filled. */
export function createFile(rhino: RhinoModule): File3dm & Disposable {
  const file = hold(new rhino.File3dm())
  file.applicationName = 'Meadow'
  return file
}
