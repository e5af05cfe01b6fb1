import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// The main process decides when this one ends: running requests finish first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

// The first choice of bin/meadow-server.js: where it cannot be written, a reader compiles its code at each start.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { serveReads } = await import('./reader.ts')
serveReads()
