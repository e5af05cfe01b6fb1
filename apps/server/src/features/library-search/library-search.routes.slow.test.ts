import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { IndexState, TeamFileId } from '@meadow/contract'
import type { UsingDocument } from '@meadow/contract/web'
import { CLUSTER } from '@meadow/solver'
import {
  buildDefinition,
  buildObject,
} from '../../../../../packages/grasshopper/src/testing/build-archive.ts'
import { buildCluster, buildContent } from '../../../../../packages/grasshopper/src/testing/build-cluster.ts'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { createClusterFile, createScriptFile } from '../../testing/library-files.ts'
import { shareWebApp } from '../../testing/share-web-app.ts'
import type { Signed } from '../../testing/start-web-app.ts'
import { until } from '../../testing/until.ts'
import {
  addition,
  graphOf,
  KANGAROO,
  kangaroo,
  reference,
  SLIDER,
  script,
  slider,
} from './testing/library-nodes.ts'

const OBJECT = 'cccccccc-0000-4000-8000-000000000001'
const UP_TO_DATE: IndexState = { pending: 0, unread: 0, partial: 0 }

interface Named {
  name: string
}

/** Waits until the background indexer has caught up. */
const untilIndexed = (person: Signed, team: string) =>
  until('everything is indexed', async () => {
    const { index } = (await person.get(`/teams/${team}/uses/suggestions`)).json
    return index.pending === 0
  })

const names = (list: Named[]) => list.map(({ name }) => name)

for (const kind of FEATURE_DATABASES) {
  describe(`search across definitions on ${kind.name}`, kind.options, () => {
    const giveTeam = shareWebApp(kind)

    test('[USE-12, USE-13, USE-14, USE-16, USE-17, USE-18] given documents, when somebody searches for what they use, then the documents and their nodes are found, also large ones', async () => {
      const { signIn, team, fixtures } = await giveTeam()
      const vera = await signIn('Vera', 'viewer')
      const solver = kangaroo('2.5')
      await fixtures.document(team, {
        name: 'Old',
        updatedAt: 1,
        content: graphOf(kangaroo('2.42'), slider(), slider()),
      })
      await fixtures.document(team, {
        name: 'New',
        updatedAt: 3,
        content: graphOf(solver, script('import numpy\nx = Foo(1)')),
      })
      const many = Array.from({ length: 300 }, addition)
      const large = await fixtures.document(team, {
        name: 'Large',
        updatedAt: 2,
        content: graphOf(...many, slider()),
      })
      assert.ok(JSON.stringify(graphOf(...many)).length > 100_000)
      await untilIndexed(vera, team.id)
      const suggest = async (q: string) =>
        (await vera.get(`/teams/${team.id}/uses/suggestions?q=${encodeURIComponent(q)}`)).json
      const find = async (query: string) => (await vera.get(`/teams/${team.id}/uses?${query}`)).json

      const { suggestions, index, truncated } = await suggest('')
      assert.deepEqual(
        [suggestions, truncated, index],
        [
          [
            {
              kind: 'plugin',
              key: KANGAROO.libraryId,
              name: 'Kangaroo2',
              detail: '',
              documents: 2,
              nodes: 2,
            },
          ],
          false,
          UP_TO_DATE,
        ],
      )
      assert.deepEqual(
        (await suggest('kangaroo')).suggestions.map(({ kind, name }: Named & { kind: string }) => [
          kind,
          name,
        ]),
        [
          ['plugin', 'Kangaroo2'],
          ['component', 'Bouncy Solver'],
        ],
      )
      assert.deepEqual(names((await suggest('number sli')).suggestions), ['Number Slider'])
      assert.deepEqual(names((await suggest(SLIDER.toUpperCase())).suggestions), ['Number Slider'])
      assert.deepEqual((await suggest('100%')).suggestions, [])
      assert.deepEqual(names((await suggest('NUMPY')).suggestions), ['numpy'])

      const sliders = await find(`kind=component&key=${SLIDER}`)
      assert.deepEqual([sliders.use.name, sliders.documents, sliders.nodes], ['Number Slider', 2, 3])
      assert.deepEqual(
        sliders.usedBy.map(({ name, nodes, nested, isRoot }: Named & Record<string, unknown>) => [
          name,
          nodes,
          nested,
          isRoot,
        ]),
        [
          ['Large', 1, 0, true],
          ['Old', 2, 0, true],
        ],
      )
      const plugin = await find(`kind=plugin&key=${KANGAROO.libraryId}`)
      assert.deepEqual(names(plugin.usedBy), ['New', 'Old'])
      assert.deepEqual(
        plugin.versions.map(({ version, documents }: Record<string, unknown>) => [version, documents]),
        [
          ['2.42', 1],
          ['2.5', 1],
        ],
      )
      assert.deepEqual(names((await find(`kind=plugin&key=${KANGAROO.libraryId}&version=2.5`)).usedBy), [
        'New',
      ])
      const scripts = await find(`kind=script&key=${encodeURIComponent('foo(1')}`)
      assert.deepEqual([names(scripts.usedBy), scripts.index], [['New'], UP_TO_DATE])
      assert.deepEqual((await find('kind=component&key=nothing')).usedBy, [])

      const { nodes } = (await vera.get(`/documents/${scripts.usedBy[0].id}/uses?kind=script&key=foo`)).json
      assert.deepEqual(nodes[0].line, { number: 2, text: 'x = Foo(1)' })
      const used = await vera.get(
        `/documents/${scripts.usedBy[0].id}/uses?kind=plugin&key=${KANGAROO.libraryId}`,
      )
      assert.deepEqual(
        used.json.nodes.map(({ nodeInstanceId }: { nodeInstanceId: string }) => nodeInstanceId),
        [solver.instanceId],
      )
      const additions = await vera.get(`/documents/${large}/uses?kind=component&key=${many[0]!.templateId}`)
      assert.equal(additions.json.nodes.length, 300)
    })

    test('[USE-15] given folders, a bin and another team, when somebody searches, then only documents of the team and the folder are found, and only by members and viewers', async () => {
      const { signIn, open, team, fixtures } = await giveTeam()
      const [ann, vera, eve] = [
        await signIn('Ann', 'member'),
        await signIn('Vera', 'viewer'),
        await signIn('Eve'),
      ]
      const folder = await fixtures.folder(team, 'Towers', 'Inner')
      const [towers] = (await ann.get(`/teams/${team.id}/folders`)).json.folders.filter(
        ({ name }: Named) => name === 'Towers',
      )
      const content = graphOf(slider())
      await fixtures.document(team, { name: 'Inside', folder: folder.key, content })
      const outside = await fixtures.document(team, { name: 'Outside', visibility: 'public', content })
      const other = await fixtures.team('Other')
      await fixtures.document(other, { name: 'Foreign', content })
      await untilIndexed(ann, team.id)
      const path = `/teams/${team.id}/uses?kind=component&key=${SLIDER}`
      const find = async (query = '') => names((await vera.get(path + query)).json.usedBy)

      assert.deepEqual((await find()).sort(), ['Inside', 'Outside'])
      assert.deepEqual(await find(`&folderId=${towers.id}`), ['Inside'])
      const inFolder = await vera.get(`/teams/${team.id}/uses/suggestions?q=slider&folderId=${towers.id}`)
      assert.equal(inFolder.json.suggestions[0].documents, 1)
      const foreign = await fixtures.root(other)
      for (const id of [foreign.id, 'fld_missing'])
        assert.equal((await vera.get(`${path}&folderId=${id}`)).status, 404)

      const bin = await ann.request('DELETE', `/documents/${outside}`)
      assert.equal(bin.status, 204)
      assert.deepEqual(await find(), ['Inside'])
      const [item] = (await ann.get(`/teams/${team.id}/bin`)).json.items
      await ann.request('POST', `/bin/${item.id}/restore`)
      assert.deepEqual((await find()).sort(), ['Inside', 'Outside'])

      for (const one of [path, `/teams/${team.id}/uses/suggestions?q=s`]) {
        assert.deepEqual([(await eve.get(one)).status, (await open().get(one)).status], [404, 401])
      }
      const nodes = `/documents/${outside}/uses?kind=component&key=${SLIDER}`
      assert.equal((await vera.get(nodes)).status, 200)
      assert.deepEqual([(await eve.get(nodes)).status, (await open().get(nodes)).status], [404, 401])
      assert.equal((await vera.get(`/teams/${team.id}/uses?kind=nonsense&key=1`)).status, 400)
    })

    test('[USE-19] given a model, when its documents are looked for, then those are found whose values name its objects', async () => {
      const { signIn, team, fixtures, database } = await giveTeam()
      const vera = await signIn('Vera', 'viewer')
      const node = reference(OBJECT)
      const id = await fixtures.document(team, { name: 'Uses it', content: graphOf(node, slider()) })
      await fixtures.document(team, {
        name: 'Does not',
        content: graphOf(slider(), reference(`${OBJECT.slice(0, -1)}9`)),
      })
      const root = await fixtures.root(team)
      const file = 'fil_000000000000000000000a' as TeamFileId
      await database.transaction(async (write) => {
        const { id } = await write
          .insertInto('team_file')
          .values({
            public_id: file,
            team_id: team.key,
            folder_id: root.key,
            name: 'Site.3dm',
            name_folded: 'SITE.3DM',
            kind: 'model',
            created_at: 1,
            updated_at: 1,
            source_sha256: 'aa',
            source_size: 1,
            blob: 'aa',
            facts: '{}',
          } as never)
          .returning('id')
          .executeTakeFirstOrThrow()
        await write.insertInto('model_object').values({ object_id: OBJECT, file_id: id }).execute()
      })
      await untilIndexed(vera, team.id)
      const [model] = (await vera.get(`/teams/${team.id}/uses/suggestions?q=site`)).json.suggestions
      assert.deepEqual([model.kind, model.key, model.name, model.documents], ['model', file, 'Site.3dm', 1])
      const found = (await vera.get(`/teams/${team.id}/uses?kind=model&key=${file}`)).json
      assert.deepEqual([names(found.usedBy), found.use.name], [['Uses it'], 'Site.3dm'])
      const { nodes } = (await vera.get(`/documents/${id}/uses?kind=model&key=${file}`)).json
      assert.deepEqual(
        nodes.map(({ nodeInstanceId }: { nodeInstanceId: string }) => nodeInstanceId),
        [node.instanceId],
      )
    })

    test('[USE-20] given a user object and a cluster file, when their documents are looked for, then those are found whose nodes have the name, also inside clusters, or are linked to the file', async () => {
      const { signIn, team, fixtures } = await giveTeam()
      const ann = await signIn('Ann', 'member')
      const { id: folder } = await fixtures.root(team)
      const headers = { 'content-type': 'application/octet-stream' }
      const upload = async (name: string, bytes: Uint8Array) => {
        const path = `/folders/${folder}/uploads?fileName=${encodeURIComponent(name)}`
        const { json, text } = await ann.request('POST', path, bytes, { headers })
        assert.ok(json.upload, text)
        return json.upload
      }
      const { fileId: view } = await upload('View.ghuser', createScriptFile('Find View', 'x'))
      const { fileId: deep } = await upload('Deep.ghcluster', createClusterFile('Deep inside'))
      const { fileId: unnamed } = await upload('Any.ghuser', createScriptFile('GhPython Script', 'x'))

      const named = { ...script('other'), name: 'Find View' }
      const id = await fixtures.document(team, { name: 'Named', content: graphOf(named, script('x')) })
      const linked = {
        ...script('x'),
        templateId: CLUSTER,
        name: 'Cluster',
        state: { kind: 'cluster', isProtected: false, path: 'C:\\tools\\DEEP.ghcluster' },
      }
      await fixtures.document(team, { name: 'Linked', content: graphOf(linked) })
      const inner = buildObject({ guid: named.templateId, id: 51, name: 'Find View' })
      const outer = buildCluster({ id: 30, content: buildContent([inner]) })
      await upload('Nested.gh', new Uint8Array(buildDefinition([outer])))
      await untilIndexed(ann, team.id)

      const find = async (key: string) => (await ann.get(`/teams/${team.id}/uses?kind=item&key=${key}`)).json
      const found = await find(view)
      assert.deepEqual(
        found.usedBy.map(({ name, nodes, nested }: UsingDocument) => [name, nodes, nested]).sort(),
        [
          ['Named', 1, 0],
          ['Nested', 0, 1],
        ],
      )
      // The linked cluster has no content here.
      assert.deepEqual([found.use.name, found.index], ['View.ghuser', { ...UP_TO_DATE, partial: 1 }])
      assert.deepEqual(names((await find(deep)).usedBy), ['Linked'])
      assert.deepEqual((await find(unnamed)).usedBy, [])
      assert.deepEqual((await find('fil_0000000000000000')).usedBy, [])
      const { nodes } = (await ann.get(`/documents/${id}/uses?kind=item&key=${view}`)).json
      assert.deepEqual(
        nodes.map(({ nodeInstanceId }: { nodeInstanceId: string }) => nodeInstanceId),
        [named.instanceId],
      )
    })
  })
}
