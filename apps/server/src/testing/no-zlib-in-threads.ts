import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import zlib from 'node:zlib'

// To be loaded before all else, with `--import`, which threads take over: in those, `node:zlib` fails. Only checksums
// are sound there (see `receiveBodies`).
if (!isMainThread) {
  for (const [name, value] of Object.entries(zlib)) {
    if (typeof value !== 'function' || name === 'crc32') continue
    const fail = () => {
      throw new Error(`A thread calls ${name} of node:zlib.`)
    }
    Object.defineProperty(zlib, name, { value: fail })
  }
  syncBuiltinESMExports()
}
