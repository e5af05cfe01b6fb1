import { parentPort } from 'node:worker_threads'
import type { EncodedGeometry } from '@meadow/contract'
import type { DimensionStyle, File3dm } from 'rhino3dm'
import type { ModelOptions } from '../file/model-input.ts'
import { hold, type Library, loadLibrary, measureObject, simplifyObject } from './library.ts'
import type { Answer, Answered, Asked, EachObject, Request, RequestName } from './requests.ts'
import { sketchObject } from './sketch-object.ts'
import { writeBytes } from './write-bytes.ts'
import { writeDraft } from './write-draft.ts'

/** Far above the memory of real requests, and low enough for several workers on a small machine. */
const MAX_HEAP_BYTES = 1024 ** 3

const library = await loadLibrary(MAX_HEAP_BYTES)
const port = parentPort!

const answers: { [N in RequestName]: (asked: Asked[N]) => Answered[N] } = {
  measure: (each) => mapObjects(each, measureObject),
  simplify: (each) => mapObjects(each, simplifyObject),
  sketch: (each) => mapObjects(each, sketchObject),
  write: ({ plan, options }) => writeDraft(library, plan, options),
  convert: ({ bytes, archiveVersion }) => convertFile(library, bytes, archiveVersion),
}

port.on('message', (request: Request) => {
  const reply = answer(request)
  port.postMessage(reply, 'answered' in reply ? listBuffers(reply.answered) : [])
})

/** The buffers that are transferred rather than copied. */
function listBuffers(answered: Answered[RequestName]): ArrayBuffer[] {
  if (answered instanceof Uint8Array) return [answered.buffer]
  return 'bytes' in answered ? [answered.bytes.buffer] : []
}

function answer({ name, asked }: Request): Answer {
  try {
    const answered = (answers[name] as (asked: Asked[RequestName]) => Answered[RequestName])(asked)
    checkMemory()
    return { answered, heapBytes: library.getHeapSize() }
  } catch (error) {
    // The library may be in any state after an error: the main thread ends this worker.
    return { fault: String(error) }
  }
}

function mapObjects<T>(
  { geometries, progress }: EachObject,
  map: (library: Library, encoded: EncodedGeometry) => T,
): T[] {
  return geometries.map((encoded, at) => {
    Atomics.store(progress, 0, at)
    const mapped = map(library, encoded)
    checkMemory()
    return mapped
  })
}

function checkMemory(): void {
  if (library.isExhausted()) throw new Error('The library ran out of the memory that it may have.')
}

/** Converts a file written here to another archive version. */
function convertFile(
  { rhino }: Library,
  bytes: Uint8Array,
  archiveVersion: ModelOptions['archiveVersion'],
): Uint8Array<ArrayBuffer> {
  // The types omit null.
  using file = hold(rhino.File3dm.fromByteArray(bytes)) as (File3dm & Disposable) | null
  if (!file) throw new Error('openNURBS cannot read the file.')
  dropDimensionStyles(file)
  return writeBytes(rhino, file, archiveVersion)
}

/**
 * Removes dimension styles. Files written here have none, but the library adds one on reading, with a random id, so
 * that equal input would yield different bytes.
 */
function dropDimensionStyles(file: File3dm): void {
  using styles = hold(file.dimstyles())
  for (let i = styles.count - 1; i >= 0; i--) {
    using style = hold(styles.get(i) as DimensionStyle & { id: string })
    styles.delete(style.id)
  }
}
