import { readFileSync } from 'node:fs'
import type { EncodedGeometry } from '@meadow/contract'
import { readModelGeometry } from '@meadow/model'
import rhino3dm, { type File3dm, type ObjectAttributes } from 'rhino3dm'
import { median } from '../statistics.ts'
import type { SolvedModel } from './solved-team.ts'

/** Reading a model file for its geometry, by the walker and by the library. Times in milliseconds. */
export interface GeometryReading {
  objects: number
  fileBytes: number
  walkerMs: number[]
  libraryMs: number[]
  /** How many times faster the walker is: of the medians. */
  factor: number
}

const TIMES = { walker: 7, library: 3 }

type Held<T> = T & { delete(): void }

// node read-geometry.ts MODEL: both read the same file and give the same, in turn and in this one process.
const model = JSON.parse(process.argv[2]!) as SolvedModel
const rhino = await rhino3dm()
const bytes = readFileSync(model.path)

async function walk(): Promise<number> {
  const read = await readModelGeometry(bytes, model)
  if ('reason' in read) throw new Error(read.reason)
  return read.geometry.size
}

/** What the walker's result takes: the geometry of each object, and the strings that tell where it belongs. */
function parse(): number {
  const geometry = new Map<string, EncodedGeometry>()
  const file = rhino.File3dm.fromByteArray(bytes) as Held<File3dm>
  const objects = file.objects()
  for (let i = 0; i < objects.count; i++) {
    const object = objects.get(i) as Held<ReturnType<typeof objects.get>>
    const attributes = object.attributes() as Held<ObjectAttributes>
    const strings = attributes.getUserStrings() as unknown as [string, string][]
    const held = object.geometry() as unknown as Held<{ encode(): EncodedGeometry }>
    geometry.set(JSON.stringify(strings), held.encode())
    held.delete()
    attributes.delete()
    object.delete()
  }
  file.delete()
  return geometry.size
}

async function time(times: number, action: () => number | Promise<number>): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const start = performance.now()
    const found = await action()
    taken.push(performance.now() - start)
    if (found !== model.objectCount) throw new Error(`${found} objects were read, not ${model.objectCount}.`)
  }
  return taken
}

const walkerMs = await time(TIMES.walker, walk)
const libraryMs = await time(TIMES.library, parse)
const reading: GeometryReading = {
  objects: model.objectCount,
  fileBytes: bytes.length,
  walkerMs,
  libraryMs,
  factor: median(libraryMs) / median(walkerMs),
}
process.stdout.write(JSON.stringify(reading))
