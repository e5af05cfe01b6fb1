import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { EncodedGeometry } from '@meadow/contract'
import type { AnnotationBase, Extrusion, BoundingBox as RhinoBox } from 'rhino3dm'
import rhino3dm, { type CommonObject, type GeometryBase, type RhinoModule } from 'rhino3dm'
import { isSound } from '../geometry/decode-geometry.ts'
import type { BoundingBox } from './requests.ts'

/**
 * rhino3dm in this thread, with members that its types lack. Only workers load it: some invalid input keeps it
 * busy for minutes, and its memory is never released.
 */
export interface Library {
  rhino: RhinoModule
  /** The size of its WebAssembly memory, in bytes. */
  getHeapSize(): number
  /** Whether it exceeded its memory limit. It continues without the memory, and its results lack parts. */
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

/**
 * A handle of the library, for `using`: the object stays in memory until it is disposed of, which the types do
 * not show.
 */
export function hold<T>(handle: T): T & Disposable {
  return handle as T & Disposable
}

export type HeldGeometry = CommonObject & Partial<GeometryBase> & Disposable

/** Decodes an object from external bytes; null for invalid ones. */
export function readObject(rhino: RhinoModule, encoded: EncodedGeometry): HeldGeometry | null {
  return isSound(encoded) ? decodeObject(rhino, encoded) : null
}

/**
 * Decodes an object that this package encoded; null for invalid ones. The declared type is a string, but the
 * library accepts the object.
 */
export function decodeObject({ CommonObject }: RhinoModule, encoded: EncodedGeometry): HeldGeometry | null {
  const decode = CommonObject.decode as unknown as (encoded: EncodedGeometry) => HeldGeometry | null
  return decode(encoded)
}

export function measureObject({ rhino }: Library, encoded: EncodedGeometry): BoundingBox | null {
  using object = readObject(rhino, encoded)
  if (!object?.getBoundingBox) return null
  using box = hold(
    object instanceof rhino.AnnotationBase ? measureText(rhino, object) : object.getBoundingBox(true),
  )
  return box.isValid ? ([box.min, box.max] as unknown as BoundingBox) : null
}

/** Texts and dimensions have another method, which the types lack. */
function measureText({ DimensionStyle }: RhinoModule, text: AnnotationBase): RhinoBox {
  using style = hold(new DimensionStyle())
  return (text.getBoundingBox as unknown as (style: object) => RhinoBox).call(text, style)
}

/**
 * Converts an extrusion to a brep, the only class with an exact form that requires the library, and writes an object in
 * the form of Rhino 2 and 3, or of a class that Rhino no longer has, in that of today.
 */
export function simplifyObject({ rhino }: Library, encoded: EncodedGeometry): EncodedGeometry | null {
  using object = readObject(rhino, encoded)
  if (object instanceof rhino.Extrusion) {
    using brep = toBrep(object)
    return brep && (brep.encode() as unknown as EncodedGeometry)
  }
  const isKnown = [rhino.Brep, rhino.Surface, rhino.Curve, rhino.Mesh].some((kind) => object instanceof kind)
  return object && isKnown ? (object.encode() as unknown as EncodedGeometry) : null
}

/** Converts an extrusion to a brep; null for an invalid extrusion. */
function toBrep(extrusion: Extrusion): HeldGeometry | null {
  return hold(extrusion.toBrep(false)) as unknown as HeldGeometry | null
}
