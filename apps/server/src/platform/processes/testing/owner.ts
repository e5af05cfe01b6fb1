import { openProcessPool } from '../process-pool.ts'

// node owner.ts MODULE: runs a job that never ends, and is to be killed. Prints nothing itself; its children do.
const pool = openProcessPool({
  name: 'hostile',
  module: new URL(process.argv[2]!),
  limits: { cpuMs: 600_000, heapMb: 64 },
  processes: 1,
})
await pool.run({ do: 'hide' }, { group: 'a' })
