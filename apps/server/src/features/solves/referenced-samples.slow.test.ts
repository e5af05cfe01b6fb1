import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readClusters, readDefinition } from '@meadow/grasshopper'
import {
  encodeGeometry,
  listReferencedIds,
  mapReferences,
  openModelLibrary,
  readModelSummary,
  resolveReferences,
  walkModel,
} from '@meadow/model'
import { chooseNearest } from './referenced-models.store.ts'

const SAMPLES = fileURLToPath(new URL('../../../../../../shared/samples', import.meta.url))

/** As folders have in the database, for an import of all samples into one folder. */
const pathOf = (file: string) => `/${dirname(file)}/`.replace('/./', '/')

test('[REF-6] given real definitions with the models beside them, when references are resolved, then every object that a model next to its definition has is its geometry, and no other', {
  skip: !existsSync(SAMPLES) && 'the samples are not beside the project',
}, async () => {
  await using library = openModelLibrary()
  const models = globSync('**/*.3dm', { cwd: SAMPLES }).map((file) => {
    const bytes = readFileSync(join(SAMPLES, file))
    const { facts, objectIds } = readModelSummary(bytes)
    return { file, bytes, facts: JSON.stringify(facts), objectIds: new Set(objectIds) }
  })
  const blobs = { read: async (file: string) => models.find((model) => model.file === file)?.bytes }
  const counts = { references: 0, beside: 0, resolved: 0, elsewhere: 0 }
  const folders = new Set(models.map(({ file }) => dirname(file)))
  for (const file of globSync('**/*.{gh,ghx}', { cwd: SAMPLES })) {
    if (!folders.has(dirname(file))) continue
    const bytes = readFileSync(join(SAMPLES, file))
    const graph = { content: readDefinition(bytes).content, clusters: readClusters(bytes) }
    const found = listReferencedIds(graph.content, graph.clusters).flatMap((id) =>
      models
        .filter(({ objectIds }) => objectIds.has(id))
        .map((model) => ({
          id,
          name: model.file,
          digest: model.file,
          size: 1,
          facts: model.facts,
          path: pathOf(model.file),
        })),
    )
    const resolved = await resolveReferences(graph, chooseNearest(pathOf(file), found), {
      blobs,
      library,
      notFound: 'it is nowhere',
    })
    const before: string[] = []
    mapReferences(graph.content, graph.clusters, (reference) => {
      before.push(reference.referenceId)
      return reference
    })
    const unresolved: string[] = []
    mapReferences(resolved.content, resolved.clusters, (reference) => {
      unresolved.push(reference.referenceId)
      return reference
    })
    counts.references += before.length
    counts.resolved += before.length - unresolved.length
    const near = before.filter((id) =>
      found.some((model) => model.id === id && dirname(model.name) === dirname(file)),
    )
    counts.beside += near.length
    counts.elsewhere += before.filter((id) => found.some((model) => model.id === id)).length - near.length
    assert.deepEqual(
      near.filter((id) => unresolved.includes(id)),
      [],
      file,
    )
    for (const [geometry, value] of resolved.geometries) {
      const source = found.flatMap(({ name, id }) =>
        [...walkModel(models.find((model) => model.file === name)!.bytes)].filter(
          (object) => object.id === id,
        ),
      )
      assert.ok(
        source.some((object) => object.encode().data === geometry.data),
        file,
      )
      const [original, decoded] = await library.measure([geometry, encodeGeometry(value)!])
      const size = Math.max(...original!.flat().map(Math.abs))
      const off = original!.flat().map((bound, k) => Math.abs(bound - decoded!.flat()[k]!))
      assert.ok(Math.max(...off) <= 1e-9 * size, `${file}: ${original} is ${decoded}`)
    }
  }
  assert.deepEqual(counts, { references: 22, beside: 22, resolved: 22, elsewhere: 0 })
})
