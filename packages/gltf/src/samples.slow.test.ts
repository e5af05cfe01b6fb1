import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import { readDefinition } from '@meadow/grasshopper'
import { toGlb } from './glb/to-glb.ts'
import { validate } from './testing/files.ts'
import { solveGraph } from './testing/solve-graph.ts'

/** These take two thirds of the time of this test: one has two million triangles, one is long in the solver. */
const TOO_LARGE: ReadonlySet<string> = new Set([
  'Teaching/Data course/3 Trees/Tutorial-3-7-5-Weaving.gh',
  'Archive/2017/extrusion example.gh',
])

const SAMPLES = fileURLToPath(new URL('../../../../shared/samples', import.meta.url))

test('[GLB-13, GLB-1] given real definitions, when their solutions are written, then every file is valid', {
  skip: !existsSync(SAMPLES) && 'the samples are not beside the project',
}, async () => {
  const faults: string[] = []
  let [written, triangles] = [0, 0]
  for (const path of globSync('**/*.{gh,ghx}', { cwd: SAMPLES })) {
    if (TOO_LARGE.has(path)) continue
    const { content } = readDefinition(readFileSync(join(SAMPLES, path)))
    const solved = solveWithin(content)
    if (!solved) continue
    const { document, solution } = solved
    const { bytes, counts } = toGlb(solution, { document, detail: 'coarse' })
    written += Number(counts.values > 0)
    triangles += counts.triangles
    for (const issue of await validate(bytes)) faults.push(`${path}: ${issue}`)
  }
  assert.deepEqual(faults, [])
  assert.ok(written > 10 && triangles > 10_000, `${written} files with ${triangles} triangles`)
})

/** Undefined for wires in a circle. */
function solveWithin(content: Parameters<typeof solveGraph>[0]) {
  try {
    return solveGraph(content)
  } catch (error) {
    if (error instanceof SolveError) return undefined
    throw error
  }
}
