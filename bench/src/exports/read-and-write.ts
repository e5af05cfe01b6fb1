import { readFileSync } from 'node:fs'
import rhino3dm, { type File3dm, type File3dmWriteOptions } from 'rhino3dm'

/** How long rhino3dm itself takes to read a model file and to write it in archive 80, each time, in milliseconds. */
export interface ReadAndWrite {
  ms: number[]
}

const TIMES = 9

type Held<T> = T & { delete(): void }

// node read-and-write.ts MODEL
const bytes = readFileSync(process.argv[2]!)
const rhino = await rhino3dm()
const options = new rhino.File3dmWriteOptions() as Held<File3dmWriteOptions>
options.version = 8

function convert(): number {
  const start = performance.now()
  const file = rhino.File3dm.fromByteArray(bytes) as Held<File3dm>
  const { length } = file.toByteArrayOptions(options)
  const taken = performance.now() - start
  file.delete()
  if (length < bytes.length / 2) throw new Error(`Only ${length} bytes were written.`)
  return taken
}

// The first time compiles the library.
convert()
const measured: ReadAndWrite = { ms: Array.from({ length: TIMES }, convert) }
process.stdout.write(JSON.stringify(measured))
