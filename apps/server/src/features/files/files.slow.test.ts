import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Node } from '@meadow/contract'
import { FEATURE_DATABASES } from '../../testing/databases.ts'
import { chunk, createDefinitionFile, item } from '../../testing/definition-file.ts'
import {
  createClusterFile,
  createLayeredModelFile,
  createScriptFile,
  createUserObjectFile,
} from '../../testing/library-files.ts'
import { shareWebApp } from '../../testing/share-web-app.ts'
import type { Signed, WebApp } from '../../testing/start-web-app.ts'

const model = await createLayeredModelFile()
/** A node in a cluster. */
const INNER = 'cccccccc-0000-4000-8000-000000000001'

/** Adds a folder to a team, and people who upload into it. */
async function furnish(app: WebApp) {
  const ann = await app.signIn('Ann', 'member')
  const folder = await app.fixtures.folder(app.team, 'Towers')
  const headers = { 'content-type': 'application/octet-stream' }
  async function upload(fileName: string, bytes: Uint8Array, query = '') {
    const path = `/folders/${folder.id}/uploads?fileName=${encodeURIComponent(fileName)}${query}`
    const { status, json, text } = await ann.request('POST', path, bytes, { headers })
    assert.equal(status, 200, text)
    return json.upload
  }
  const listFiles = async (id = folder.id, who: Signed = ann) =>
    (await who.get(`/folders/${id}`)).json.folder.files.map(({ name }: { name: string }) => name)
  return { ...app, ann, folder, upload, listFiles }
}

/** What a JSON answer of the API shows of a team's tree. */
const namesOf = ({ folders = [], documents }: Record<string, { name: string }[]>) =>
  [...folders, ...documents!].map(({ name }) => name)

for (const kind of FEATURE_DATABASES) {
  describe(`files on ${kind.name}`, kind.options, () => {
    const giveTeam = shareWebApp(kind, { MEADOW_SOLVE_WORKERS: '0' })
    const start = async () => furnish(await giveTeam())

    test('[LIB-1, UPL-10] given texts, when they are uploaded, then the folder lists them, their pages show how they begin, and bytes that are no text are rejected', async () => {
      const { ann, upload, listFiles, folder } = await start()
      const { fileId } = await upload('Points.CSV', Buffer.from('1,2\r\n3,4\r\n'))
      await upload('notes.txt', Buffer.from('one'))
      assert.deepEqual(await listFiles(), ['notes.txt', 'Points.CSV'])
      const { file } = (await ann.get(`/files/${fileId}`)).json
      assert.deepEqual(file.facts, { kind: 'csv', lines: 2, start: '1,2\r\n3,4\r\n' })
      const { json } = await ann.get(`/folders/${folder.id}?kind=text`)
      assert.equal(json.folder.files.length, 2)
      const rejected = await ann.request(
        'POST',
        `/folders/${folder.id}/uploads?fileName=picture.txt`,
        Buffer.from([0x89, 0x50, 0, 1]),
        { headers: { 'content-type': 'application/octet-stream' } },
      )
      assert.equal(rejected.status, 422)
      assert.match(rejected.text, /it is not a text/)
    })

    test('[LIB-1, LIB-2, UPL-10] given a model, a user object and a cluster, when they are uploaded, then the folder lists them with their facts', async () => {
      const { ann, upload, folder, team } = await start()
      const uploads = [
        await upload('Site.3dm', model),
        await upload('C:\\tools\\Find View.ghuser', createUserObjectFile()),
        await upload('Passing.GHCLUSTER', createClusterFile()),
      ]
      for (const { outcome, documentId, fileId } of uploads) {
        assert.deepEqual([outcome, documentId], ['created', null])
        assert.match(fileId, /^fil_/)
      }
      const { json } = await ann.get(`/folders/${folder.id}`)
      assert.deepEqual(json.folder.documents, [])
      assert.deepEqual(
        json.folder.files.map(
          ({ createdAt, updatedAt, id, isFavourite, ...rest }: Record<string, unknown>) => rest,
        ),
        [
          {
            name: 'Find View.ghuser',
            kind: 'user_object',
            sizeBytes: createUserObjectFile().length,
            hasThumbnail: true,
          },
          {
            name: 'Passing.GHCLUSTER',
            kind: 'cluster',
            sizeBytes: createClusterFile().length,
            hasThumbnail: false,
          },
          { name: 'Site.3dm', kind: 'model', sizeBytes: model.length, hasThumbnail: false },
        ],
      )
      const [site, view, passing] = await Promise.all(
        uploads.map(async ({ fileId }) => (await ann.get(`/files/${fileId}`)).json.file),
      )
      assert.deepEqual(
        site.path.map(({ name }: { name: string }) => name),
        [team.name, 'Towers'],
      )
      assert.deepEqual([site.role, site.modifiedAt, site.usedBy], ['member', null, []])
      const { archiveVersion, units, layers, objects } = site.facts
      assert.deepEqual([archiveVersion, units.name], [7, 'meters'])
      assert.deepEqual(objects, [{ type: 'curve', count: 1 }])
      const drawn = layers.filter((layer: { objects: number }) => layer.objects > 0)
      assert.deepEqual(
        drawn.map(({ path }: { path: string }) => path),
        ['Site'],
      )
      assert.deepEqual(view.facts, {
        kind: 'user_object',
        name: 'Find View',
        nickname: 'View',
        description: 'Finds a view',
        author: null,
        nodes: null,
        category: 'Revit',
        subcategory: 'Custom',
        componentId: 'ce46b74e-00c9-43c4-805a-193b69ea4a11',
        componentName: 'Multiplication',
      })
      assert.deepEqual(
        [passing.facts.kind, passing.facts.name, passing.facts.nodes],
        ['cluster', 'Passing', 0],
      )
    })

    test('[UPL-11] given a model of a name that is there, when it is uploaded, then it follows `onConflict`, as a definition does', async () => {
      const { upload, ann, listFiles } = await start()
      const { fileId } = await upload('Site.3dm', model)
      const same = await upload('Site.3dm', model)
      assert.deepEqual([same.outcome, same.fileId], ['unchanged', fileId])
      const changed = await createLayeredModelFile('Other')
      const conflict = await upload('Site.3dm', changed)
      assert.deepEqual([conflict.outcome, conflict.fileId, conflict.wasEdited], ['conflict', fileId, false])
      const copy = await upload('Site.3dm', changed, '&onConflict=copy')
      assert.deepEqual([copy.outcome, copy.name], ['created', 'Site (2).3dm'])
      const replaced = await upload('Site.3dm', changed, '&onConflict=replace')
      assert.deepEqual([replaced.outcome, replaced.fileId], ['replaced', fileId])
      const { layers } = (await ann.get(`/files/${fileId}`)).json.file.facts
      assert.ok(layers.some(({ path }: { path: string }) => path === 'Other'))
      // A definition of that name is another thing.
      assert.equal((await upload('Site.gh', createDefinitionFile())).outcome, 'created')
      assert.deepEqual(await listFiles(), ['Site (2).3dm', 'Site.3dm'])
    })

    test('[LIB-3] given a file, when it is downloaded, whole, in part, or again, then it is the one that was uploaded; the icon is a picture', async () => {
      const { upload, ann, address } = await start()
      const { fileId } = await upload('Grüße "1".3dm', model)
      const path = `/files/${fileId}/content`
      const whole = await ann.get(path)
      assert.deepEqual(
        ['content-type', 'content-length', 'accept-ranges', 'cache-control', 'x-content-type-options'].map(
          (name) => whole.headers.get(name),
        ),
        ['model/vnd.3dm', String(model.length), 'bytes', 'private, no-cache', 'nosniff'],
      )
      const disposition = whole.headers.get('content-disposition')!
      assert.match(disposition, /^attachment; filename="Gru_e _1_\.3dm"/)
      assert.match(disposition, /filename\*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22\.3dm$/)
      const bytes = async (init?: RequestInit) => {
        const response = await fetch(`${address}/app/v1${path}`, {
          ...init,
          headers: { ...init?.headers, cookie: ann.cookie },
        })
        return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
      }
      assert.ok((await bytes()).body.equals(model))
      const part = await bytes({ headers: { range: 'bytes=100-199' } })
      assert.deepEqual([part.status, part.body], [206, Buffer.from(model.subarray(100, 200))])
      assert.equal((await bytes({ headers: { range: `bytes=${model.length}-` } })).status, 416)
      const etag = whole.headers.get('etag')!
      assert.equal((await bytes({ headers: { 'if-none-match': etag } })).status, 304)

      const { fileId: object } = await upload('Find View.ghuser', createUserObjectFile())
      const icon = await ann.get(`/files/${object}/thumbnail`)
      assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/png'])
      assert.equal((await ann.get(`/files/${fileId}/thumbnail`)).status, 404)
    })

    test('[LIB-4] given people of other teams, nobody, and a viewer, when they read or change a file, then others get what there is for a missing one, and a viewer cannot change it', async () => {
      const { upload, signIn, open } = await start()
      const { fileId } = await upload('Find View.ghuser', createUserObjectFile())
      const [stranger, viewer, nobody] = [await signIn('Dan'), await signIn('Vic', 'viewer'), open()]
      for (const end of ['', '/content', '/thumbnail']) {
        const theirs = await stranger.get(`/files/${fileId}${end}`)
        const missing = await stranger.get(`/files/fil_0000000000000000${end}`)
        assert.deepEqual([theirs.status, theirs.text], [404, missing.text])
        assert.equal((await nobody.get(`/files/${fileId}${end}`)).status, 401)
        assert.equal((await viewer.get(`/files/${fileId}${end}`)).status, 200)
      }
      for (const [method, body] of [['PATCH', { name: 'x' }], ['DELETE']] as const) {
        assert.equal((await stranger.request(method, `/files/${fileId}`, body)).status, 404)
        assert.equal((await viewer.request(method, `/files/${fileId}`, body)).status, 403)
      }
    })

    test('[LIB-5] given a file, when it is renamed, moved, deleted and restored, then it keeps its id and its extension, and is where it was', async () => {
      const { upload, ann, listFiles, fixtures, team, folder } = await start()
      const { fileId } = await upload('Site.3dm', model)
      const other = await fixtures.folder(team, 'Other')
      const change = (body: object) => ann.request('PATCH', `/files/${fileId}`, body)
      assert.equal((await change({ name: 'Plot' })).json.file.name, 'Plot.3dm')
      assert.equal((await change({ name: 'Plot 2.3DM' })).json.file.name, 'Plot 2.3DM')
      assert.equal((await change({ name: '  ' })).status, 400)
      assert.equal((await change({ folderId: 'fld_0000000000000000' })).status, 404)
      assert.equal((await change({ folderId: other.id })).status, 200)
      assert.deepEqual([await listFiles(), await listFiles(other.id)], [[], ['Plot 2.3DM']])
      const counted = (await ann.get(`/folders/${folder.id}`)).json.folder.parentId
      const { folders } = (await ann.get(`/folders/${counted}`)).json.folder
      assert.deepEqual(
        folders.map(({ name, files }: { name: string; files: number }) => [name, files]),
        [
          ['Other', 1],
          ['Towers', 0],
        ],
      )

      assert.equal((await ann.request('DELETE', `/files/${fileId}`)).status, 204)
      assert.equal((await ann.get(`/files/${fileId}`)).status, 404)
      const { items } = (await ann.get(`/teams/${team.id}/bin`)).json
      assert.deepEqual(
        items.map(({ kind, name, documents }: Record<string, unknown>) => [kind, name, documents]),
        [['file', 'Plot 2.3DM', 0]],
      )
      const restored = await ann.request('POST', `/bin/${items[0].id}/restore`)
      assert.deepEqual(
        [restored.json.kind, restored.json.id, restored.json.wentToRoot],
        ['file', fileId, false],
      )
      assert.deepEqual(await listFiles(other.id), ['Plot 2.3DM'])
    })

    test('[LIB-6] given files and documents, when the app searches by name, then it finds both, in the folder that was asked for', async () => {
      const { upload, ann, team, folder, fixtures } = await start()
      for (const name of ['My site.3dm', 'Site_100%.3dm', 'Größe.3dm']) await upload(name, model)
      await upload('Site.gh', createDefinitionFile())
      const other = await fixtures.folder(team, 'Other')
      const search = async (q: string, folderId = '') => {
        const { json } = await ann.get(
          `/teams/${team.id}/search?q=${encodeURIComponent(q)}${folderId && `&folderId=${folderId}`}`,
        )
        return [json.documents, json.files].map((found) => found.map(({ name }: { name: string }) => name))
      }
      assert.deepEqual(await search('site'), [['Site'], ['Site_100%.3dm', 'My site.3dm']])
      assert.deepEqual(await search('_100%'), [[], ['Site_100%.3dm']])
      assert.deepEqual(await search('1%'), [[], []])
      assert.deepEqual(await search('GRÖSSE'), [[], ['Größe.3dm']])
      assert.deepEqual(await search('site', folder.id), [['Site'], ['Site_100%.3dm', 'My site.3dm']])
      assert.deepEqual(await search('site', other.id), [[], []])
      assert.deepEqual(await search('\\'), [[], []])
    })

    test('[LIB-7] given models and library items in the tree, when the API is read, then it shows none of them: not in folders, not in searches, not as documents', async () => {
      const { upload, get, folder, ann, team } = await start()
      const uploads = [
        await upload('Site.3dm', model),
        await upload('Site.ghuser', createUserObjectFile()),
        await upload('Site.ghcluster', createClusterFile()),
        await upload('Site.gh', createDefinitionFile()),
      ]
      const listed = (await get(`/folders/${folder.id}`)).json.folder
      assert.deepEqual(namesOf(listed), ['Site'])
      assert.ok(!('files' in listed))
      for (const path of ['/documents?q=site', '/documents', `/documents?q=site&folderId=${folder.id}`]) {
        const { json } = await get(path)
        assert.deepEqual([namesOf(json), json.truncated], [['Site'], false])
      }
      const missing = await get('/documents/fil_0000000000000000')
      for (const { fileId } of uploads.slice(0, 3)) {
        for (const path of ['', '/solution', '/export?format=.gh']) {
          const { status, text } = await get(`/documents/${fileId}${path}`)
          assert.deepEqual([status, text], [404, missing.text], path)
        }
        assert.equal((await get(`/folders/${fileId}`)).status, 404)
        assert.equal((await ann.get(`/documents/${fileId}`)).status, 404)
        await ann.request('DELETE', `/files/${fileId}`)
      }
      assert.deepEqual(namesOf((await get(`/folders/${folder.id}`)).json.folder), ['Site'])
      assert.equal((await ann.get(`/teams/${team.id}/bin`)).json.items.length, 3)
    })

    test('[LIB-9] given library items, when their contents are read, then these are the graphs of the files, for members and viewers; models have none', async () => {
      const { upload, signIn, open, fixtures } = await start()
      const vera = await signIn('Vera', 'viewer')
      const read = async (name: string, bytes: Uint8Array, who: Pick<Signed, 'get'> = vera) => {
        const { fileId } = await upload(name, bytes)
        return { fileId, ...(await who.get(`/files/${fileId}/contents`)) }
      }
      const view = await read('Find View.ghuser', createScriptFile('Find View', 'print "view"'))
      assert.equal(view.status, 200, view.text)
      const [node] = Object.values<Node>(view.json.graph.nodes)
      const { kind: state, language, source } = node!.state!
      assert.deepEqual(
        [node!.name, state, language, source],
        ['Find View', 'script', 'python2', 'print "view"'],
      )
      assert.deepEqual(view.json.clusters, {})
      const { facts } = (await vera.get(`/files/${view.fileId}`)).json.file
      assert.equal(facts.componentName, 'GhPython Script')
      const times = await read('Times.ghuser', createUserObjectFile())
      const [placed] = Object.values<Node>(times.json.graph.nodes)
      assert.equal(placed!.templateId, 'ce46b74e-00c9-43c4-805a-193b69ea4a11')

      const panel = chunk(
        'Object',
        [item('GUID', 'guid', '59e0b89a-e487-49f8-bab8-b5bab16be14c')],
        [chunk('Container', [item('InstanceGuid', 'guid', INNER), item('UserText', 'string', 'inside')])],
      )
      const passing = await read('Passing.ghcluster', createClusterFile('Passing', [panel]))
      const [outer] = Object.values<Node>(passing.json.graph.nodes)
      const { nodes } = passing.json.clusters[outer!.instanceId]
      assert.deepEqual([outer!.name, Object.keys(nodes)], ['Passing', [INNER]])
      assert.match(JSON.stringify(nodes), /inside/)

      assert.equal((await read('Site.3dm', model)).status, 422)
      const stranger = await signIn('Sam', 'member', await fixtures.team('Beta'))
      for (const who of [stranger, open()]) {
        const { status } = await who.get(`/files/${passing.fileId}/contents`)
        assert.ok(status === 404 || status === 401, String(status))
      }
    })

    test('[LIB-10] given library items, when they are listed, then those are that nodes can be known by, without those of other teams and in the bin', async () => {
      const { upload, ann, team } = await start()
      await upload('View.ghuser', createScriptFile('Find View', 'x'))
      await upload('Unnamed.ghuser', createScriptFile('GhPython Script', 'x'))
      await upload('Times.ghuser', createUserObjectFile())
      await upload('Passing.ghcluster', createClusterFile())
      await upload('Site.3dm', model)
      const gone = await upload('Gone.ghcluster', createClusterFile('Gone'))
      await ann.request('DELETE', `/files/${gone.fileId}`)
      const { items, truncated } = (await ann.get(`/teams/${team.id}/library-items`)).json
      assert.deepEqual(
        [items.map(({ id, ...rest }: { id: string }) => rest), truncated],
        [
          [
            {
              name: 'Passing.ghcluster',
              origins: ['f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a Passing', 'file passing.ghcluster'],
            },
            { name: 'View.ghuser', origins: ['410755b1-224a-4c1e-a407-bf32fb45ea7e Find View'] },
          ],
          false,
        ],
      )
    })

    test('[LIB-11] given library items, when those that can be placed are listed and searched, then they have names, places and what is not solved, without those of other teams and in the bin', async () => {
      const { upload, ann, team, fixtures, signIn } = await start()
      const view = await upload('View.ghuser', createUserObjectFile())
      await upload('My_Script.ghuser', createScriptFile('Find View', 'x'))
      await upload('Passing.ghcluster', createClusterFile())
      await upload('Site.3dm', model)
      const gone = await upload('Gone.ghcluster', createClusterFile('Gone'))
      await ann.request('DELETE', `/files/${gone.fileId}`)
      const list = async (q = '', who: Signed = ann, of = team) =>
        (await who.get(`/teams/${of.id}/placeable-items?q=${encodeURIComponent(q)}`)).json
      const { items, truncated } = await list()
      assert.deepEqual(
        [items.map(({ name, category }: Record<string, string>) => [name, category]), truncated],
        [
          [
            ['Find View', ''],
            ['Passing', ''],
            ['Find View', 'Revit'],
          ],
          false,
        ],
      )
      assert.deepEqual(items[2], {
        ...{ fileId: view.fileId, fileName: 'View.ghuser', name: 'Find View', nickName: 'View' },
        ...{ description: 'Finds a view', category: 'Revit', subcategory: 'Custom', hasIcon: true },
        ...{ kind: 'user_object', unsolved: null },
      })
      const named = async (q: string) =>
        (await list(q)).items.map(({ fileName }: { fileName: string }) => fileName)
      assert.deepEqual(await named('script MY'), ['My_Script.ghuser'])
      assert.deepEqual(
        [await named('_'), await named('%'), await named('\0')].map(({ length }) => length),
        [1, 0, 3],
      )
      const beta = await fixtures.team('Beta')
      assert.deepEqual((await list('', await signIn('Sam', 'viewer', beta), beta)).items, [])
    })

    test('[LIB-8] given a document that refers to objects of a model, when the model is read, then it names the document, but none of other teams', async () => {
      const { upload, ann, database, fixtures, team } = await start()
      const { fileId } = await upload('Site.3dm', model)
      const { object_id } = await database.read
        .selectFrom('model_object')
        .select('object_id')
        .executeTakeFirstOrThrow()
      const other = await fixtures.team('Beta')
      for (const [of, name] of [
        [team, 'Ours'],
        [team, 'Not'],
        [other, 'Theirs'],
      ] as const) {
        const id = await fixtures.document(of, { name })
        const { key } = await database.read
          .selectFrom('document')
          .where('public_id', '=', id as never)
          .select('id as key')
          .executeTakeFirstOrThrow()
        if (name !== 'Not')
          await database.transaction((write) =>
            write.insertInto('document_reference').values({ document_id: key, object_id }).execute(),
          )
      }
      const { usedBy } = (await ann.get(`/files/${fileId}`)).json.file
      assert.deepEqual(
        usedBy.map(({ name }: { name: string }) => name),
        ['Ours'],
      )
    })

    test('[UPL-10, LIB-1] given bytes that are not such a file, when they are uploaded, then they are rejected with the reason, and nothing is left', async () => {
      const { ann, folder, listFiles } = await start()
      const headers = { 'content-type': 'application/octet-stream' }
      const reject = async (fileName: string, body: Uint8Array | string) => {
        const { status, json } = await ann.request(
          'POST',
          `/folders/${folder.id}/uploads?fileName=${fileName}`,
          body,
          { headers },
        )
        return [status, json.error]
      }
      assert.deepEqual(await reject('Site.3dm', 'PK and so on'), [
        422,
        'That file cannot be read: it is not a .3dm file.',
      ])
      const [status, sentence] = await reject('Site.3dm', model.subarray(0, 5000))
      assert.equal(status, 422)
      assert.match(sentence, /^That file cannot be read: it is damaged, or was not written to its end/)
      assert.equal((await reject('View.ghuser', createClusterFile()))[0], 422)
      assert.deepEqual(await reject('Site.obj', model), [
        415,
        'Only .gh, .ghx, .3dm, .ghuser, .ghcluster, .txt and .csv files can be uploaded.',
      ])
      assert.deepEqual(await listFiles(), [])
    })
  })
}
