import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { buildNode } from '../../../../packages/grasshopper/src/testing/build-node.ts'
import { noBrowser } from '../../../web/src/testing/browser.ts'
import { getBrowser } from '../../../web/src/testing/shared-browser.ts'
import { createMeadowCommand } from '../testing/run-meadow.ts'

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'

/** What a document could do to the page that shows it. */
const HOSTILE = '</script><script>globalThis.isRun = true</script><!-- $& {{diff}}'

test('[CMD-63] given two files, when a page is written and opened, then it shows both graphs and the changes, and requests nothing', {
  skip: noBrowser,
}, async (t) => {
  const { home, runWith } = await createMeadowCommand(t)
  const documentOf = (nickName: string) => {
    const node = buildNode(ADDITION, 100, { nickName })
    return { nodes: { [node.instanceId]: node }, groups: [], configuration: { inputs: [], outputs: [] } }
  }
  const [older, newer, page] = ['old.json', 'new.json', 'difference.html'].map((name) => join(home, name))
  writeFileSync(older!, JSON.stringify(documentOf('Sum')))
  writeFileSync(newer!, JSON.stringify(documentOf(HOSTILE)))
  const { code, stderr } = await runWith({}, 'diff', older!, newer!, '--html', page!)
  assert.deepEqual([code, stderr], [1, `Wrote ${page}.\n`])

  const tab = await (await getBrowser()).newPage()
  t.after(() => tab.close())
  const [requests, errors]: [string[], string[]] = [[], []]
  tab.on('request', (request) => void requests.push(request.url()))
  tab.on('pageerror', ({ message }) => void errors.push(message))
  await tab.goto(pathToFileURL(page!).href)
  await tab.getByText('Sum was renamed to').first().waitFor()
  await tab.locator('.react-flow__pane').nth(1).waitFor()
  assert.deepEqual(errors, [])
  assert.deepEqual(
    requests.filter((url) => !url.startsWith('data:')),
    [pathToFileURL(page!).href],
  )
  assert.equal(await tab.evaluate(() => (globalThis as { isRun?: boolean }).isRun), undefined)
})
