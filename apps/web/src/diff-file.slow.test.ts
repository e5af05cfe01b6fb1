import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createNode } from '@meadow/client/live'
import type { GraphContent } from '@meadow/contract'
import { diffDocuments } from '@meadow/diff'
import { build } from 'vite'
import type { DiffFile } from './diff-file.tsx'
import { assertAccessible } from './testing/assert-accessible.ts'
import { noBrowser } from './testing/browser.ts'
import { KINDS } from './testing/kinds.ts'
import { getBrowser } from './testing/shared-browser.ts'

const CONFIG = fileURLToPath(new URL('../vite.diff-file.config.ts', import.meta.url))

test('[WEB-149] given a file with a visual diff, when it is opened from the disk, then it shows both graphs and the changes, and requests nothing', {
  skip: noBrowser,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'meadow-diff-file-'))
  t.after(() => rm(folder, { recursive: true }))
  await build({ configFile: CONFIG, logLevel: 'warn', build: { outDir: folder, emptyOutDir: false } })
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  const [script, style] = [await read('diff-file.js'), await read('diff-file.css')]

  const panel = createNode(KINDS.panel, { position: { x: 0, y: 0 }, nickName: '</script> & co' })
  const toGraph = (...nodes: (typeof panel)[]): GraphContent => ({
    nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
  })
  const [before, after] = [toGraph(), toGraph(panel)]
  const file: DiffFile = {
    before: { label: 'a.gh', content: before, clusters: {} },
    after: { label: 'b.gh', content: after, clusters: {} },
    difference: diffDocuments(before, after),
  }
  const path = join(folder, 'diff.html')
  await writeFile(
    path,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>a.gh → b.gh</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
<body><div id="root"></div>
<script type="application/json" id="diff">${JSON.stringify(file).replaceAll('<', '\\u003c')}</script>
<script>${script.replaceAll('</script', '<\\/script')}</script></body></html>`,
  )

  const page = await (await getBrowser()).newPage()
  t.after(() => page.close())
  const troubles: string[] = []
  page.on('pageerror', ({ message }) => troubles.push(message))
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && !request.url().endsWith('/diff.html'))
      troubles.push(request.url())
  })
  await page.goto(String(pathToFileURL(path)))
  await page.getByRole('button', { name: '</script> & co (Panel) was added' }).click()
  await page.locator('[data-side="after"] [data-chosen]:not([data-chosen=""])').waitFor({ state: 'attached' })
  await assertAccessible(page)
  assert.deepEqual(troubles, [])
})
