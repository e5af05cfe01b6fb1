import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readClusters, readDefinition } from '@meadow/grasshopper'
import { decodeGeometry } from '@meadow/model'
import { solve } from '@meadow/solver'
import { solveDefinition } from '../testing/compute-solver.ts'
import { applyAnswer } from './apply-answer.ts'
import { askCompute } from './ask-compute.ts'
import { listDependents } from './list-dependents.ts'
import { readAnswer } from './read-answer.ts'

const SAMPLES = fileURLToPath(new URL('../../../../../../../shared/samples', import.meta.url))
/** All samples take half a minute. */
const EVERY = 12
const LIBRARY = {
  decode: async (encoded: Parameters<typeof decodeGeometry>[0][]) => encoded.map(decodeGeometry),
}

test('[CMP-4, CMP-9] given real definitions and a server that has no script and no plug-in, when they are sent and answered, then each is sent whole, and nothing that depends on a missing component is solved', {
  skip: !existsSync(SAMPLES) && 'the samples are not beside the project',
}, async (t) => {
  let [sentDefinitions, solvedNodes] = [0, 0]
  const paths = globSync('**/*.{gh,ghx}', { cwd: SAMPLES }).toSorted()
  for (const path of paths.filter((_, index) => index % EVERY === 0)) {
    const original = readFileSync(join(SAMPLES, path))
    const { content } = readDefinition(original)
    const clusters = readClusters(original)
    const own = solve(content, { decodeGeometry, clusterContents: clusters })
    const question = askCompute({ content, clusters, original, units: 'None' }, own)
    if (!question) continue
    sentDefinitions++
    const { algo } = JSON.parse(Buffer.from(question.body).toString())
    const definition = Buffer.from(algo, 'base64')
    const { nodes } = readDefinition(definition).content
    for (const [id, { name, sources }] of Object.entries(content.nodes))
      assert.deepEqual(nodes[id]?.sources, sources, `${path}: ${name}`)

    const { plan } = question
    const answer = readAnswer(Buffer.from(JSON.stringify(solveDefinition(definition, {}).body)))
    const answered = { plan, missingClassIds: plan.classIds, answer }
    const { states, ports, solvers, completeness } = await applyAnswer(content, own, answered, LIBRARY)
    solvedNodes += solvers.size
    const missing = plan.nodes.filter(({ classId, innerClassIds }) => classId || innerClassIds.length > 0)
    for (const id of listDependents(
      content,
      missing.map(({ nodeId }) => nodeId),
    )) {
      assert.equal(solvers.has(id), false, `${path}: ${id}`)
      assert.equal(states.get(id), own.states.get(id), `${path}: ${id}`)
      assert.deepEqual(ports.get(id), own.ports.get(id), `${path}: ${id}`)
    }
    const { nodes: all, solved, failed, unsupported, unknown } = completeness
    assert.equal(all, solved + failed + unsupported + unknown, path)
  }
  t.diagnostic(`${sentDefinitions} definitions were sent; the server solved ${solvedNodes} nodes`)
  assert.ok(sentDefinitions > 5)
})
