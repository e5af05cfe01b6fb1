import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { load, withoutCheck } from '../../checks/load.ts'
import { openKitchen } from './testing/kitchen.ts'
import { readBlocks, readPrinted } from './testing/read-page.ts'
import { readWorkflow } from './testing/read-workflow.ts'

const kitchen = await openKitchen()
after(() => kitchen.close())

/** Runs the shell blocks of a page in one shell, which ends when a command fails. */
async function runShellBlocks(page: string): Promise<void> {
  await kitchen.sh(
    readPrinted(page, 'sh', '')
      .map(({ code }) => code)
      .join(''),
  )
}

/** Texts without the spaces at the ends of lines, which editors remove from pages. */
const withoutEnds = (text: string) => text.trimEnd().replaceAll(/ +$/gm, '')

const python = findPython()
const noPandas = python ? false : 'There is no Python with pandas.'

test('[REC-1] given the page of pandas, when its code runs, then it prints what the page says', {
  skip: noPandas,
}, async () => {
  await runShellBlocks('pandas.md')
  const blocks = readPrinted('pandas.md', 'python', 'text')
  const end = '-- end of block --'
  const script = blocks.map(({ code }) => `${code}\nprint("${end}")\n`).join('')
  const { stdout } = await kitchen.run(python!, ['-c', script])
  const outputs = stdout.split(`${end}\n`)
  for (const [index, { printed, code }] of blocks.entries())
    assert.equal(withoutEnds(outputs[index]!), withoutEnds(printed ?? ''), code)
})

function findPython(): string | undefined {
  return ['python3', '/usr/bin/python3'].find((candidate) => {
    try {
      execFileSync(candidate, ['-c', 'import pandas'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
}

test('[REC-1, REC-5] given the page of DuckDB, when its queries run, then they answer what the page says', {
  skip: withoutCheck('@duckdb/node-api'),
}, async (t) => {
  const duckdb = await load('@duckdb/node-api').catch(() => undefined)
  if (!duckdb) return t.skip('DuckDB does not exist for this system.')
  await runShellBlocks('duckdb.md')
  const database = await duckdb.DuckDBInstance.create(':memory:')
  const connection = await database.connect()
  await connection.run(`SET file_search_path = '${kitchen.folder}'`)
  for (const { code, printed } of readPrinted('duckdb.md', 'sql', 'csv')) {
    const result = await connection.runAndReadAll(code)
    const lines = [result.columnNames(), ...result.getRowsJson()].map((cells) => cells.join(','))
    assert.equal(lines.join('\n'), printed?.trimEnd(), code)
  }
  connection.closeSync()
  database.closeSync()
})

test('[REC-2] given the queries for Power BI and Excel, when they are parsed, then they are Power Query', {
  skip: withoutCheck('@microsoft/powerquery-parser'),
}, async () => {
  const { DefaultSettings, TaskUtils } = await load('@microsoft/powerquery-parser')
  const counts: Record<string, number> = {}
  for (const page of ['power-bi.md', 'excel.md']) {
    const queries = readBlocks(page).filter(({ language }) => language === 'powerquery')
    for (const { code } of queries) {
      const task = await TaskUtils.tryLexParse(DefaultSettings, code)
      assert.ok(TaskUtils.isParseStageOk(task), 'error' in task ? String(task.error) : code)
    }
    counts[page] = queries.length
    assert.match(await readFile(new URL(page, import.meta.url), 'utf8'), /parser for Power Query/)
  }
  assert.deepEqual(counts, { 'power-bi.md': 2, 'excel.md': 1 })
})

test('[REC-4, REC-5] given the page of Excel, when its command runs, then the CSV starts with a byte order mark', async () => {
  await runShellBlocks('excel.md')
  const csv = await readFile(join(kitchen.folder, 'tower.csv'))
  assert.equal(csv.toString('latin1', 0, 3), '\xef\xbb\xbf')
  assert.match(csv.toString('utf8'), /Gross floor area \(m²\)/)
})

test('[REC-3] given the workflow, when its steps run, then it commits what has changed and checks a value', {
  skip: withoutCheck('@actions/workflow-parser'),
}, async () => {
  const workflow = readBlocks('github-action.md').find(({ language }) => language === 'yaml')!.code
  const { errors, steps } = await readWorkflow(workflow)
  assert.deepEqual(errors, [])
  assert.notDeepEqual((await readWorkflow(workflow.replace('runs-on', 'run-on'))).errors, [])

  await kitchen.sh('git init --quiet --bare -b main remote.git && git clone --quiet remote.git repository')
  const repository = join(kitchen.folder, 'repository')
  const inRepository = (lines: string) => kitchen.sh(lines, repository)
  await inRepository(
    'git -c user.name=me -c user.email=me@example.org commit --quiet --allow-empty -m Start && git push --quiet',
  )
  const listCommits = async () => (await kitchen.sh('git -C remote.git log --format=%an')).stdout
  const pull = steps.get('Read what has changed')!
  await inRepository(pull)
  assert.equal(await listCommits(), 'Meadow\nme\n')
  const { stdout: files } = await inRepository('git -c core.quotePath=false ls-files')
  for (const ending of ['json', 'csv'])
    assert.match(files, new RegExp(`^mirror/.*/Twisted tower\\.${ending}$`, 'm'))
  await inRepository(pull)
  assert.equal(await listCommits(), 'Meadow\nme\n')

  const check = steps.get('Check the design')!
  const { stdout: checked } = await inRepository(check)
  // The last digits depend on how the solver sums.
  assert.match(checked, /^The gross floor area is 24801\.79162007\d* m²\.\n$/)
  await assert.rejects(inRepository(check.replace('30000', '20000')), { code: 1 })
})
