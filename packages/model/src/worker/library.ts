import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { EncodedGeometry } from '@meadow/contract'
import rhino3dm, { type CommonObject, type GeometryBase, type RhinoModule } from 'rhino3dm'
import { isSound } from '../geometry/decode-geometry.ts'

/**
 * rhino3dm, loaded into this thread, with what its types leave out. Only workers load it: some broken input keeps it
 * busy for minutes, and nothing of its memory is ever given back.
 */
export interface Library {
  rhino: RhinoModule
  /** The size of its memory, in bytes. */
  getHeapSize(): number
  /** It asked for more memory than it may have. It goes on without, and what it makes then lacks parts. */
  isExhausted(): boolean
}

const PAGE = 65_536

export async function loadLibrary(maxHeapBytes: number): Promise<Library> {
  const path = createRequire(import.meta.url).resolve('rhino3dm/rhino3dm.wasm')
  const compiled = await WebAssembly.compile(await readFile(path))
  let memory: WebAssembly.Memory | undefined
  let isExhausted = false
  const rhino = await rhino3dm({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(compiled, imports)
      memory = findMemory(instance)
      const grow = memory.grow.bind(memory)
      memory.grow = (pages) => {
        if (memory!.buffer.byteLength + pages * PAGE <= maxHeapBytes) return grow(pages)
        isExhausted = true
        throw new RangeError('The library may not have more memory.')
      }
      done(instance)
      return instance.exports
    },
    print: () => {},
    printErr: () => {},
  })
  return { rhino, getHeapSize: () => memory?.buffer.byteLength ?? 0, isExhausted: () => isExhausted }
}

function findMemory({ exports }: WebAssembly.Instance): WebAssembly.Memory {
  const memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory)
  if (!memory) throw new Error('rhino3dm has no memory of its own any more.')
  return memory
}

/** A handle of the library, for `using`: its object stays in memory until it is disposed of. The types do not tell. */
export function hold<T>(handle: T): T & Disposable {
  return handle as T & Disposable
}

export type HeldGeometry = CommonObject & Partial<GeometryBase> & Disposable

/** The object of bytes that others made, or null for what is none. */
export function readObject(rhino: RhinoModule, encoded: EncodedGeometry): HeldGeometry | null {
  return isSound(encoded) ? decodeObject(rhino, encoded) : null
}

/** The object of bytes that this package made, or null for what is none. The declared type wants a string; the library takes the object form. */
export function decodeObject({ CommonObject }: RhinoModule, encoded: EncodedGeometry): HeldGeometry | null {
  const decode = CommonObject.decode as unknown as (encoded: EncodedGeometry) => HeldGeometry | null
  return decode(encoded)
}
