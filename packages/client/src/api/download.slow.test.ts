import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { startExports } from '../../../../apps/server/src/features/exports/testing/start-exports.ts'
import { numbers } from '../../../../apps/server/src/features/solutions/testing/graphs.ts'
import { DATABASES } from '../../../../apps/server/src/testing/databases.ts'
import { createFolder } from '../../../../apps/server/src/testing/definition-folder.ts'
import { downloadFile } from '../node/index.ts'
import { BadAnswer, ConnectionFailed, FileChanged, Meadow, NotFound } from './index.ts'
import { createSha256 } from './sha256.ts'

const SIZE = 3 * 2 ** 20

/** A document whose model is these bytes, and a client whose downloads a test disturbs. */
async function startDownloads(t: TestContext, name = 'Tower') {
  t.mock.method(Math, 'random', () => 0)
  const server = await startExports(t, DATABASES[0]!)
  const { address, secret, document, blobs, endSolve } = server
  const content = randomBytes(SIZE)
  const documentId = await document(numbers(), name)
  async function setModel(bytes: Uint8Array): Promise<void> {
    const { digest, size } = await blobs.put(bytes)
    await endSolve(documentId, { digest, bytes: size, objects: 1 })
  }
  await setModel(content)
  const ranges: (string | null)[] = []
  const disturb = {
    link: async (_url: string): Promise<Response | undefined> => undefined,
    cutAfter: Infinity,
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input)
    if (url.startsWith(`${address}/api/`)) return globalThis.fetch(input, init)
    const headers = new Headers(init!.headers)
    assert.ok(!headers.has('authorization'))
    ranges.push(headers.get('range'))
    const response = (await disturb.link(url)) ?? (await globalThis.fetch(input, init))
    if (disturb.cutAfter === Infinity) return response
    return new Response(cut(response.body!, disturb.cutAfter), response)
  }
  const meadow = new Meadow({ baseUrl: address, token: secret, fetch })
  // As it is: 7 is the version that is stored.
  const request = { documentId, format: '.3dm', modelerVersion: 7 } as const
  return { ...server, meadow, request, content, ranges, disturb, setModel }
}

/** A body whose connection breaks after so many bytes. */
function cut(body: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
  let left = bytes
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, left))
        left -= chunk.length
        if (left <= 0) controller.error(new TypeError('terminated'))
      },
    }),
  )
}

describe('a download', () => {
  test('[SDK-40] given an export, when it is downloaded, then its bytes as a stream, a blob or an array, with the progress', async (t) => {
    const { meadow, request, content } = await startDownloads(t)
    const progress: number[] = []
    const { stream, export: file } = await meadow.download(request, {
      onProgress: (received, total) => progress.push(received / total),
    })
    const chunks = await Array.fromAsync(stream)
    assert.ok(Buffer.concat(chunks).equals(content))
    assert.equal(file.fileName, 'Tower.3dm')
    assert.deepEqual([progress.length, progress.at(-1)], [chunks.length, 1])
    assert.ok(content.equals(await (await meadow.download(request)).bytes()))
    assert.equal((await (await meadow.download(request)).blob()).size, SIZE)
  })

  test('[SDK-40] given progress that cannot be shown, when that throws, then the download fails with it and no byte is left out', async (t) => {
    const { meadow, request, ranges } = await startDownloads(t)
    const onProgress = () => {
      throw new TypeError('There is no terminal.')
    }
    await assert.rejects(async () => (await meadow.download(request, { onProgress })).bytes(), {
      message: 'There is no terminal.',
    })
    assert.equal(ranges.length, 1)
  })

  test('[SDK-41] given a connection that breaks again and again, when bytes arrive in between, then the download goes on where it stopped; without any it fails', async (t) => {
    const { meadow, request, content, ranges, disturb } = await startDownloads(t)
    disturb.cutAfter = 2 ** 20
    assert.ok(content.equals(await (await meadow.download(request)).bytes()))
    assert.ok(ranges.length >= 3, `${ranges.length} requests`)
    assert.deepEqual(ranges.slice(0, 3), [null, 'bytes=1048576-', 'bytes=2097152-'])
    disturb.link = async () => Promise.reject(new TypeError('fetch failed'))
    await assert.rejects((await meadow.download(request, { retries: 1 })).bytes(), ConnectionFailed)
  })

  test('[SDK-42] given a link that ends in the middle, when the file is still the same, then another link goes on with it; when it is another, then FileChanged', async (t) => {
    const { meadow, request, content, ranges, disturb, setModel } = await startDownloads(t)
    disturb.cutAfter = 2 ** 20
    let links = 0
    const ended = () => Response.json({ error: 'This link has expired.' }, { status: 410 })
    disturb.link = async () => (links++ === 1 ? ended() : undefined)
    assert.ok(content.equals(await (await meadow.download(request)).bytes()))
    assert.deepEqual(ranges.slice(0, 3), [null, 'bytes=1048576-', 'bytes=1048576-'])
    links = 0
    const download = await meadow.download(request)
    await setModel(randomBytes(SIZE))
    await assert.rejects(download.bytes(), (error) => {
      assert.ok(error instanceof FileChanged)
      assert.match(error.message, /^Tower\.3dm was made anew while it was downloaded/)
      return true
    })
  })

  test('[SDK-43] given an export whose link, size or digest cannot be one, then BadAnswer, and nothing is asked for', async (t) => {
    const { meadow, request, ranges } = await startDownloads(t)
    const file = await meadow.requestExport(request.documentId, request)
    const folder = await createFolder(t)
    for (const lie of [
      { url: 'file:///etc/passwd' },
      { url: 'http://' },
      { sha256: '/../../../../x' },
      { size: -1 },
      { size: '5' as never },
      { fileName: undefined as never },
    ]) {
      const options = { export: { ...file, ...lie } }
      await assert.rejects(meadow.download(request, options), BadAnswer)
      await assert.rejects(downloadFile(meadow, request, folder, options), BadAnswer)
    }
    assert.deepEqual([ranges, await readdir(folder)], [[], []])
  })

  test('[SDK-43] given bytes that are not those of the export, when all have arrived, then FileChanged', async (t) => {
    const { meadow, request, disturb } = await startDownloads(t)
    disturb.link = async () => new Response(randomBytes(SIZE))
    await assert.rejects((await meadow.download(request)).bytes(), /has another digest than its export says/)
    disturb.link = async () => new Response(randomBytes(SIZE + 1))
    await assert.rejects((await meadow.download(request)).bytes(), /is longer than its export says/)
    await assert.rejects(meadow.download({ ...request, documentId: 'doc_none' }), NotFound)
  })

  test('[SDK-44] given a server that ignores ranges, when a download goes on, then what is here already is left out', async (t) => {
    const { meadow, request, content, disturb } = await startDownloads(t)
    disturb.cutAfter = 2 * 2 ** 20
    let links = 0
    disturb.link = async () => {
      if (links++ === 1) disturb.cutAfter = Infinity
      return new Response(content)
    }
    assert.ok(content.equals(await (await meadow.download(request)).bytes()))
    assert.equal(links, 2)
  })

  test('[SDK-45] given a connection that is silent, when the time is up, then another one goes on; a reader that is slow costs nothing', async (t) => {
    const { meadow, request, content, disturb } = await startDownloads(t)
    let links = 0
    disturb.link = async () => {
      if (links++ > 0) return undefined
      const silent = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(content.subarray(0, 9)),
      })
      return new Response(silent)
    }
    const { stream } = await meadow.download(request, { timeoutMs: 100 })
    const received: Uint8Array[] = []
    for await (const chunk of stream) received.push(chunk)
    assert.ok(Buffer.concat(received).equals(content))
  })

  test('[SDK-46] given a signal, when it is aborted, then the stream fails with its reason; when a reader stops, then the connection is given up', async (t) => {
    const { meadow, request } = await startDownloads(t)
    const controller = new AbortController()
    const { stream } = await meadow.download(request, { signal: controller.signal })
    const reader = stream.getReader()
    await reader.read()
    controller.abort(new Error('Enough.'))
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    }, /Enough/)
    const { stream: other } = await meadow.download(request)
    for await (const _ of other) break
    assert.equal(other.locked, false)
  })
})

describe('a download to a file', () => {
  test('[SDK-47] given a folder or a path, when an export is downloaded there, then the file is there whole, and nothing else', async (t) => {
    const { meadow, request, content } = await startDownloads(t)
    const folder = await createFolder(t, { 'Old.3dm': 'before' })
    const { path, resumedBytes } = await downloadFile(meadow, request, folder)
    assert.deepEqual([path, resumedBytes], [join(folder, 'Tower.3dm'), 0])
    await downloadFile(meadow, request, join(folder, 'Old.3dm'))
    for (const name of await readdir(folder))
      assert.ok(content.equals(await readFile(join(folder, name))), name)
    assert.deepEqual(await readdir(folder), ['Old.3dm', 'Tower.3dm'])
    // As any file that a program makes, which the umask decides.
    const ordinary = join(folder, 'ordinary')
    await writeFile(ordinary, '')
    assert.equal((await stat(path)).mode, (await stat(ordinary)).mode)
  })

  test('[SDK-47] given two downloads of the same file to the same place at once, when both are done, then the file is there whole, and nothing else', async (t) => {
    const { meadow, request, content, disturb } = await startDownloads(t)
    const folder = await createFolder(t)
    // Both begin before either has a byte.
    let waiting = 0
    const { promise: bothAsked, resolve } = Promise.withResolvers<void>()
    disturb.link = async () => {
      if (++waiting === 2) resolve()
      await bothAsked
      return undefined
    }
    await Promise.all([downloadFile(meadow, request, folder), downloadFile(meadow, request, folder)])
    assert.deepEqual(await readdir(folder), ['Tower.3dm'])
    assert.ok(content.equals(await readFile(join(folder, 'Tower.3dm'))))
  })

  test('[SDK-47] given a folder and a name that leads out of it, is hidden or has another ending, then the file is in the folder, with the ending of its format', async (t) => {
    const { meadow, request } = await startDownloads(t)
    const file = await meadow.requestExport(request.documentId, request)
    for (const [fileName, expected] of [
      ['../../.profile', '__.._.profile.3dm'],
      ['..', '_.3dm'],
      ['', '_.3dm'],
      ['C:\\x\u001b.3dm', 'C__x_.3dm'],
    ]) {
      const folder = await createFolder(t)
      const { path } = await downloadFile(meadow, request, folder, {
        export: { ...file, fileName: fileName! },
      })
      assert.equal(path, join(folder, expected!))
      assert.deepEqual(await readdir(folder), [expected])
    }
  })

  test('[SDK-48] given a link in place of what is here of the file, then nothing is written through it', {
    skip: process.platform === 'win32' && 'Windows has other links',
  }, async (t) => {
    const { meadow, request } = await startDownloads(t)
    const { sha256 } = await meadow.requestExport(request.documentId, request)
    const folder = await createFolder(t, { mine: 'mine' })
    const target = join(folder, 'Tower.3dm')
    await symlink(join(folder, 'mine'), `${target}.${sha256.slice(0, 16)}.part`)
    await assert.rejects(downloadFile(meadow, request, target), { code: 'ELOOP' })
    assert.equal(await readFile(join(folder, 'mine'), 'utf8'), 'mine')
  })

  test('[SDK-48] given a download that failed, when it is begun again, then it goes on with what is there; a part that is not of the file is thrown away', async (t) => {
    const { meadow, request, content, disturb, ranges } = await startDownloads(t)
    const folder = await createFolder(t)
    const target = join(folder, 'Tower.3dm')
    disturb.cutAfter = 2 ** 20
    await assert.rejects(downloadFile(meadow, request, target, { retries: -1 }), ConnectionFailed)
    const [part] = await readdir(folder)
    assert.match(part!, /^Tower\.3dm\.[0-9a-f]{16}\.part$/)
    assert.equal((await stat(join(folder, part!))).size, 2 ** 20)
    disturb.cutAfter = Infinity
    ranges.length = 0
    const { resumedBytes } = await downloadFile(meadow, request, target)
    assert.deepEqual([resumedBytes, ranges], [2 ** 20, ['bytes=1048576-']])
    assert.ok(content.equals(await readFile(target)))

    for (const bytes of [5, SIZE + 5]) {
      await writeFile(join(folder, part!), randomBytes(bytes))
      await downloadFile(meadow, request, target)
      assert.ok(content.equals(await readFile(target)))
      assert.deepEqual(await readdir(folder), ['Tower.3dm'])
    }
    await writeFile(join(folder, part!), content)
    ranges.length = 0
    assert.equal((await downloadFile(meadow, request, target)).resumedBytes, SIZE)
    assert.equal(ranges.length, 0)
  })

  test('[SDK-49] given a document that is solved again during the download, when the link ends, then the new file is downloaded', async (t) => {
    const { meadow, request, disturb, setModel } = await startDownloads(t)
    const folder = await createFolder(t)
    const changed = randomBytes(1000)
    let links = 0
    disturb.cutAfter = 2 ** 20
    disturb.link = async () => {
      if (links++ !== 1) return undefined
      await setModel(changed)
      return Response.json({ error: 'This link has ended.' }, { status: 410 })
    }
    await mkdir(join(folder, 'exports'))
    const { path } = await downloadFile(meadow, request, join(folder, 'exports'))
    assert.ok(changed.equals(await readFile(path)))
    assert.deepEqual(await readdir(join(folder, 'exports')), ['Tower.3dm'])
  })
})

test('[SDK-43] given bytes in pieces of any length, when their SHA-256 is computed, then it is that of OpenSSL', () => {
  const bytes = randomBytes(1000)
  for (let length = 0; length < 200; length++) {
    const hash = createSha256()
    const piece = 1 + (length % 70)
    for (let start = 0; start < length; start += piece)
      hash.update(bytes.subarray(start, Math.min(length, start + piece)))
    assert.equal(
      hash.digest(),
      createHash('sha256').update(bytes.subarray(0, length)).digest('hex'),
      `${length}`,
    )
  }
})
