import { readFileSync } from 'node:fs'
import rhino3dm, { type File3dm, type File3dmWriteOptions } from 'rhino3dm'

/** The time that rhino3dm takes to read a model file and write it in archive 80, per repetition, in milliseconds. */
export interface ReadAndWrite {
  ms: number[]
}

const REPETITIONS = 9

type Disposable3dm<T> = T & { delete(): void }

// node read-and-write.ts MODEL
const bytes = readFileSync(process.argv[2]!)
const rhino = await rhino3dm()
const options = new rhino.File3dmWriteOptions() as Disposable3dm<File3dmWriteOptions>
options.version = 8

function convert(): number {
  const start = performance.now()
  const file = rhino.File3dm.fromByteArray(bytes) as Disposable3dm<File3dm>
  const { length } = file.toByteArrayOptions(options)
  const taken = performance.now() - start
  file.delete()
  if (length < bytes.length / 2) throw new Error(`Only ${length} bytes were written.`)
  return taken
}

// The first run compiles the library.
convert()
const measured: ReadAndWrite = { ms: Array.from({ length: REPETITIONS }, convert) }
process.stdout.write(JSON.stringify(measured))
