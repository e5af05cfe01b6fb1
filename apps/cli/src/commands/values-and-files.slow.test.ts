import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstat, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { numbers, tubes } from '../../../server/src/features/solutions/testing/graphs.ts'
import { listChildren, noProc } from '../../../server/src/testing/child-processes.ts'
import { until } from '../../../server/src/testing/until.ts'
import { createMeadowCommand } from '../testing/run-meadow.ts'
import { createFolder } from '../testing/start-meadow.ts'
import { startTeam } from '../testing/start-team.ts'

/** A team with a document of this name that is solved. */
async function startSolved(t: TestContext, { name = 'Tubes', content = tubes(2) } = {}) {
  const team = await startTeam(t, [])
  const id = await team.document(content, name)
  await team.solve(id)
  return { ...team, id }
}

/** A solution of many different boxes, whose conversion takes much longer than all else that an export does. */
function createBoxes(count: number) {
  const plane = { origin: [0, 0, 0], xAxis: [1, 0, 0], yAxis: [0, 1, 0], zAxis: [0, 0, 1] }
  const side = { start: 0, end: 1 }
  const boxes = Array.from({ length: count }, (_, index) => ({
    ...{ id: `box-${index}`, name: 'Boxes', type: 'box', geometry: null, path: '{0}', index },
    ...{ nodeInstanceId: 'node', portInstanceId: 'port' },
    value: { plane, x: { start: 0, end: index + 1 }, y: side, z: side },
  }))
  const objects = Object.fromEntries(boxes.map((box) => [box.id, box]))
  return { format: 'bimz', documentId: 'doc_boxes', solutionId: 'sol_boxes', units: 'meters', objects }
}

/** What a service answers that has a large document with a large solution, by a part of the address. */
function createLargeAnswers(): [part: string, answer: string][] {
  const values = Array.from({ length: 600_000 }, (_, index) => ({ type: 'number', value: index / 3 }))
  const data = { solutionId: 'sol_large', node: { port: { branches: [{ path: '{0}', values }] } } }
  const createNodes = (count: number, y: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const status = { isEnabled: true, isPreviewed: true }
        const empty = {
          status,
          inputs: {},
          outputs: {},
          sources: {},
          values: {},
          ports: {},
          configuration: {},
        }
        const names = { templateId: 'a', name: 'Panel', nickName: `Panel ${index + y}` }
        return [
          `node-${index}`,
          { instanceId: `node-${index}`, ...names, position: { x: index, y }, ...empty },
        ]
      }),
    )
  const createDocument = (id: string, y: number) => {
    const facts = { id, name: 'Large', createdAt: TIME, updatedAt: TIME }
    return { ...facts, nodes: createNodes(80_000, y), groups: [], configuration: { inputs: [], outputs: [] } }
  }
  const documents = [
    { id: 'doc_large', name: 'Large', createdAt: TIME, updatedAt: TIME, visibility: 'private' },
  ]
  const root = { id: 'fld_root', name: 'Team', parentId: null, path: [], folders: [], documents }
  const nothing = { truncated: false, solutions: true, folders: [], documents: [], gone: [] }
  return [
    ['format=bimz', JSON.stringify(createBoxes(80_000))],
    ['/solution', JSON.stringify({ data, messages: [], includesGeometry: false })],
    ['/changes?', JSON.stringify({ changes: { cursor: 'a', reset: false, ...nothing } })],
    ['/changes', JSON.stringify({ changes: { cursor: 'a', reset: true, ...nothing } })],
    ['/folders/', JSON.stringify({ folder: root })],
    ['/doc_other', JSON.stringify({ document: createDocument('doc_other', 1) })],
    ['/doc_large', JSON.stringify({ document: createDocument('doc_large', 0) })],
  ]
}

const TIME = '2026-01-01T00:00:00.000Z'

describe('values and files', () => {
  test('[CMD-10] given a solution, when its values are printed, then there is a row for each, and names choose among them', async (t) => {
    const { json, run, get, id } = await startSolved(t, { name: 'Numbers', content: numbers(3) })
    const rows = await json('values', 'Numbers')
    const { data } = (await get(`/documents/${id}/solution`)).json
    const count = Object.entries<Record<string, { branches: { values: unknown[] }[] }>>(data)
      .filter(([key]) => key !== 'solutionId')
      .flatMap(([, ports]) =>
        Object.values(ports).flatMap(({ branches }) => branches.flatMap(({ values }) => values)),
      )
    assert.equal(rows.length, count.length)
    const series = rows.filter((row: { node: string }) => row.node === 'Numbers')
    assert.deepEqual(
      (await json('values', 'Numbers', 'Numbers')).map(({ nodeId }: { nodeId: string }) => nodeId),
      series.map(({ nodeId }: { nodeId: string }) => nodeId),
    )
    const [first] = series
    assert.deepEqual(
      await json('values', 'Numbers', `${first.nodeId}/${first.portId}`),
      rows.filter((row: { portId: string }) => row.portId === first.portId),
    )
    const csv = (await run('values', 'Numbers', '--csv')).stdout.trimEnd().split('\r\n')
    assert.equal(csv.length, rows.length + 1)
    assert.match(csv[0]!, /^node_id,node,/)
    const unknown = await run('values', 'Numbers', 'Nothing')
    assert.equal(unknown.code, 4)
    assert.match(unknown.stderr, /no node or port "Nothing"\. Nodes with values: .*Numbers/)
  })

  test('[CMD-10] given a file to write, when values are written as Parquet, Arrow or CSV, then others read the same rows', async (t) => {
    const { run, json } = await startSolved(t)
    const folder = await createFolder(t)
    const rows = await json('values', 'Tubes')
    for (const args of [['--parquet'], ['--arrow'], ['--csv', '--excel']]) {
      const { code, stdout, stderr } = await run('values', 'Tubes', ...args, '-o', folder)
      assert.deepEqual([code, stdout], [0, ''], stderr)
    }
    assert.deepEqual((await readdir(folder)).sort(), ['Tubes.arrow', 'Tubes.csv', 'Tubes.parquet'])
    const read = await parquetReadObjects({ file: await asyncBufferFromFile(join(folder, 'Tubes.parquet')) })
    assert.deepEqual(
      read.map(({ node_id, path, index, type }) => [node_id, path, Number(index), type]),
      rows.map((row: Record<string, unknown>) => [row.nodeId, row.path, row.index, row.type]),
    )
    assert.equal((await readFile(join(folder, 'Tubes.csv'), 'utf8')).charCodeAt(0), 0xfeff)
    const chosen = await run('values', 'Tubes', '--csv', '--columns', 'node,number')
    assert.match(chosen.stdout, /^node,number\r\n/)
    assert.equal((await run('values', 'Tubes', '--csv', '--columns', 'nothing')).code, 2)
    assert.equal((await run('values', 'Tubes', '--csv', '--parquet')).code, 2)
    assert.equal((await run('values', 'Tubes', '-o', 'x')).code, 2)
  })

  test('[CMD-2] [CMD-11] given documents in every state, when they are read or waited for, then the exit code says which', async (t) => {
    const team = await startTeam(t, [])
    const { run, json, document, solve, fail, queue } = team
    const ids = {
      solved: await document(numbers(), 'Solved'),
      failed: await document(numbers(), 'Failed'),
      never: await document(numbers(), 'Never'),
      running: await document(numbers(), 'Running'),
    }
    await solve(ids.solved)
    await fail(ids.failed, 'A cause.')
    await queue(ids.running)
    const codeOf = async (...args: string[]) => (await run(...args)).code
    for (const command of ['solution', 'values']) {
      const codes = await Promise.all(
        ['Solved', 'Failed', 'Never', 'Running'].map((name) => codeOf(command, name)),
      )
      assert.deepEqual(codes, [0, 6, 5, 5], command)
    }
    assert.equal(await codeOf('export', 'Never', '--format', '3dm'), 5)
    const failed = await run('solution', 'Failed', '--json')
    const { error, status, requestId } = JSON.parse(failed.stderr)
    assert.match(error, /A cause\./)
    assert.deepEqual([status, typeof requestId], [502, 'string'])
    const states = await run('wait', 'Solved', 'Failed', 'Never', '--json')
    assert.deepEqual(
      JSON.parse(states.stdout).map(({ state }: { state: string }) => state),
      ['solved', 'failed', 'never solved'],
    )
    assert.equal(states.code, 6)
    assert.equal(await codeOf('wait', 'Running', '--within', '0.01'), 5)
    assert.deepEqual((await json('solution', 'Solved')).completeness.isComplete, true)
  })

  test('[CMD-11] given a running solve, when it is waited for, then the command goes on when it has ended', async (t) => {
    const { document, run, queue, lease, solveLeased } = await startTeam(t, [])
    const id = await document(numbers(), 'Numbers')
    await queue(id)
    const waiting = run('values', 'Numbers', '--wait', '300', '--csv')
    await solveLeased(await lease(id))
    const { code, stdout } = await waiting
    assert.equal(code, 0)
    assert.match(stdout, /^node_id,/)
  })

  test('[CMD-12] given a solved document, when it is exported, then the file is that of the service, under a safe name, or a model made here', async (t) => {
    const { run, json, id, get } = await startSolved(t, { name: 'a/b: c?', content: tubes(2) })
    const folder = await createFolder(t)
    for (const format of ['gh', '3dm']) {
      const exported = await json('export', id, '--format', format, '-o', folder)
      const { export: link } = (await get(`/documents/${id}/export?format=.${format}`)).json
      assert.equal(exported.path, join(folder, `a_b_ c_.${format}`))
      const bytes = await readFile(exported.path)
      assert.equal(createHash('sha256').update(bytes).digest('hex'), link.sha256)
    }
    const glb = await json('export', id, '--format', 'glb', '--hidden', '-o', folder)
    const bytes = await readFile(glb.path)
    assert.deepEqual([bytes.subarray(0, 4).toString(), bytes.readUInt32LE(8)], ['glTF', bytes.length])
    assert.ok(glb.counts.triangles > 0, JSON.stringify(glb.counts))
    const obj = await json('export', id, '--format', 'obj', '--hidden', '-o', folder)
    assert.match(await readFile(obj.path, 'utf8'), /^mtllib a_b_ c_\.mtl$|^mtllib a_b__c_\.mtl$/m)
    assert.ok((await stat(obj.mtlPath)).size > 0)
    assert.deepEqual(
      (await readdir(folder)).filter((name) => /part/.test(name)),
      [],
    )
    const link = await run('export', id, '--format', '.3dm', '--link')
    assert.equal((await fetch(link.stdout.trim())).status, 200)
    const wrong = [
      await run('export', id, '--format', 'stl'),
      await run('export', id),
      await run('export', id, '--format', 'gh', '--modeler-version', '7'),
      await run('export', id, '--format', '3dm', '--modeler-version', '6'),
      await run('export', id, '--format', 'glb', '--link'),
    ]
    assert.deepEqual(
      wrong.map(({ code }) => code),
      [2, 2, 2, 2, 2],
    )
  })

  test('[CMD-15] given much to convert, list or compare, when Ctrl-C comes, then it ends with 130, and leaves no file', {
    skip: noProc,
  }, async (t) => {
    const { start, launcher } = await createMeadowCommand(t)
    const answers = createLargeAnswers()
    let answered = (_: string) => {}
    const server = createServer(({ url = '' }, response) => {
      const found = answers.find(([part]) => url.includes(part)) ?? assert.fail(url)
      response.end(found[1])
      response.on('finish', () => answered(found[0]))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close().closeAllConnections())
    const env = {
      MEADOW_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      MEADOW_TOKEN: 'mdw_x',
    }
    const calls = {
      'export doc_large --format glb': 'format=bimz',
      'export doc_large --format obj': 'format=bimz',
      'values doc_large': '/solution',
      'values doc_large --parquet': '/solution',
      'pull . --format csv': '/solution',
      'diff doc_large doc_other': '/doc_other',
    }
    for (const [call, last] of Object.entries(calls)) {
      const folder = await createFolder(t)
      const { promise: sent, resolve } = Promise.withResolvers<void>()
      answered = (part) => {
        if (part !== last) return
        answered = () => {}
        // It stands still until this process looks at it, however busy the machine is.
        child.kill('SIGSTOP')
        resolve()
      }
      const { child, finished } = start(launcher, call.split(' '), { cwd: folder, env })
      setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL)
      await Promise.race([sent, finished])
      const cpuMs = () => listChildren('meadow').find(({ pid }) => pid === child.pid)?.cpuMs
      // To read the answer and to work on it takes several times as much, on a fast machine too.
      const before = cpuMs() ?? 0
      child.kill('SIGCONT')
      await until('it is at work', async () => (cpuMs() ?? Infinity) > before + 50)
      child.kill('SIGINT')
      assert.deepEqual(await finished, { code: 130, stdout: '', stderr: '' }, call)
      const left = await readdir(folder, { recursive: true })
      assert.deepEqual(
        left.filter((name) => /Large|part$/.test(name)),
        [],
        call,
      )
    }
  })

  test('[CMD-12] given a link, a named pipe, a new folder or a missing one, when a file is written there, then none of them is replaced', async (t) => {
    const { run, id } = await startSolved(t, { name: 'Tubes', content: tubes(2) })
    const folder = await createFolder(t)
    const at = (name: string) => join(folder, name)
    const ways = [
      ['values', id, '--csv'],
      ['export', id, '--format', 'gh'],
    ]
    for (const way of ways) {
      await writeFile(at('file'), 'old')
      await symlink(at('file'), at('link'))
      assert.equal((await run(...way, '-o', at('link'))).code, 0)
      assert.ok((await lstat(at('link'))).isSymbolicLink())
      const bytes = await readFile(at('file'))
      assert.ok(bytes.length > 3)
      assert.equal((await run(...way, '-o', `${at('new')}/`)).code, 0)
      const missing = await run(...way, '-o', at('missing/file'))
      assert.deepEqual(
        [missing.code, missing.stderr.includes(`there is no folder "${at('missing')}"`)],
        [1, true],
      )
      assert.equal((await run(...way, '-o', '')).code, 2)
      if (process.platform !== 'win32') {
        execFileSync('mkfifo', [at('pipe')])
        const [{ code }, received] = await Promise.all([run(...way, '-o', at('pipe')), readFile(at('pipe'))])
        assert.deepEqual([code, received.equals(bytes)], [0, true])
        assert.ok((await lstat(at('pipe'))).isFIFO())
        await rm(at('pipe'))
      }
      await rm(at('link'))
    }
    assert.deepEqual((await readdir(folder, { recursive: true })).sort(), [
      ...['file', 'new', join('new', 'Tubes.csv'), join('new', 'Tubes.gh')],
    ])
  })
})
