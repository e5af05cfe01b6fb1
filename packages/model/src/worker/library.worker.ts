import { parentPort } from 'node:worker_threads'
import type { EncodedGeometry } from '@meadow/contract'
import { convertFile } from './convert-file.ts'
import { type Library, loadLibrary } from './library.ts'
import { measureObject } from './measure-object.ts'
import type { Answer, Answered, Asked, EachObject, Request, RequestName } from './requests.ts'
import { simplifyObject } from './simplify-object.ts'
import { writeDraft } from './write-draft.ts'

/** Far above what any real request takes, and such that several workers fit into a small machine. */
const MAX_HEAP_BYTES = 1024 ** 3

const library = await loadLibrary(MAX_HEAP_BYTES)
const port = parentPort!

const answers: { [N in RequestName]: (asked: Asked[N]) => Answered[N] } = {
  measure: (each) => mapObjects(each, measureObject),
  simplify: (each) => mapObjects(each, simplifyObject),
  write: ({ plan, options }) => writeDraft(library, plan, options),
  convert: ({ bytes, archiveVersion }) => convertFile(library, bytes, archiveVersion),
}

port.on('message', (request: Request) => {
  const given = answer(request)
  port.postMessage(given, 'answered' in given ? listBuffers(given.answered) : [])
})

/** What is handed over rather than copied. */
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
    // The library may be in any state after it threw: whoever asked ends this worker.
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
