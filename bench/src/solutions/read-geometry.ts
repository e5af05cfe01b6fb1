import { readFileSync } from 'node:fs'
import type { EncodedGeometry } from '@meadow/contract'
import { readModelGeometry } from '@meadow/model'
import rhino3dm, { type File3dm, type ObjectAttributes } from 'rhino3dm'
import { median, timeAsync } from '../harness/statistics.ts'
import type { SolvedModel } from './solved-team.ts'

/** The time in milliseconds to read the geometry of a model file, with the walker and with rhino3dm. */
export interface GeometryReading {
  objects: number
  fileBytes: number
  walkerMs: number[]
  libraryMs: number[]
  /** The ratio of the medians. */
  factor: number
}

const REPETITIONS = { walker: 7, library: 3 }

type Disposable3dm<T> = T & { delete(): void }

// node read-geometry.ts MODEL: both read the same file in this process, one after the other.
const model = JSON.parse(process.argv[2]!) as SolvedModel
const rhino = await rhino3dm()
const bytes = readFileSync(model.path)

async function walk(): Promise<number> {
  const read = await readModelGeometry(bytes, model)
  if ('reason' in read) throw new Error(read.reason)
  return read.geometry.size
}

/** Reads the same data as the walker: the geometry and the user strings of each object. */
function parse(): number {
  const geometry = new Map<string, EncodedGeometry>()
  const file = rhino.File3dm.fromByteArray(bytes) as Disposable3dm<File3dm>
  const objects = file.objects()
  for (let i = 0; i < objects.count; i++) {
    const object = objects.get(i) as Disposable3dm<ReturnType<typeof objects.get>>
    const attributes = object.attributes() as Disposable3dm<ObjectAttributes>
    const strings = attributes.getUserStrings() as unknown as [string, string][]
    const encoder = object.geometry() as unknown as Disposable3dm<{ encode(): EncodedGeometry }>
    geometry.set(JSON.stringify(strings), encoder.encode())
    encoder.delete()
    attributes.delete()
    object.delete()
  }
  file.delete()
  return geometry.size
}

async function listTimes(times: number, read: () => number | Promise<number>): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    let found = 0
    const { ms } = await timeAsync(async () => {
      found = await read()
    })
    taken.push(ms)
    if (found !== model.objectCount) throw new Error(`${found} objects were read, not ${model.objectCount}.`)
  }
  return taken
}

const walkerMs = await listTimes(REPETITIONS.walker, walk)
const libraryMs = await listTimes(REPETITIONS.library, parse)
const reading: GeometryReading = {
  objects: model.objectCount,
  fileBytes: bytes.length,
  walkerMs,
  libraryMs,
  factor: median(libraryMs) / median(walkerMs),
}
process.stdout.write(JSON.stringify(reading))
