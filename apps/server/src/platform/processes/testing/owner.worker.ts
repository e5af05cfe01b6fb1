import { openProcessPool } from '../process-pool.ts'

// node owner.worker.ts SCRIPT: runs a job that never ends, and is to be killed. Prints nothing itself; its children do.
const pool = openProcessPool({
  script: new URL(process.argv[2]!),
  setup: {},
  limits: { cpuMs: 600_000, heapMb: 64 },
  processes: 1,
})
await pool.run({ do: 'hide' }, { group: 'a' })
