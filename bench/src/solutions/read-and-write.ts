import { readFileSync } from 'node:fs'
import rhino3dm, { type File3dm, type File3dmWriteOptions } from 'rhino3dm'
import { time } from '../harness/statistics.ts'

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
  let length = 0
  const { ms } = time(() => {
    const file = rhino.File3dm.fromByteArray(bytes) as Disposable3dm<File3dm>
    length = file.toByteArrayOptions(options).length
    file.delete()
  })
  if (length < bytes.length / 2) throw new Error(`Only ${length} bytes were written.`)
  return ms
}

// The first run compiles the library.
convert()
const measured: ReadAndWrite = { ms: Array.from({ length: REPETITIONS }, convert) }
process.stdout.write(JSON.stringify(measured))
