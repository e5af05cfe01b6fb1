import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../../server/src/testing/until.ts'
import { noBrowser } from './testing/browser.ts'
import { signIn } from './testing/start-app.ts'
import { startDemo } from './testing/start-demo.ts'
import { addNode, findNode, useEditor } from './testing/use-editor.ts'

/** What must never break in the web app; the slow tier tests each page. */
describe('a walk through the web app', { skip: noBrowser }, () => {
  const app = useEditor(() => startDemo({ solved: ['Gridshell'] }), { drawsGeometry: false })

  test('[WEB-1, WEB-5, WEB-30] when a designer signs in, edits a solved document and makes a token, then a script reads the edit', async () => {
    const page = await app.open({ isSignedOut: true })
    await signIn(page, app.demo)
    await page.getByRole('table', { name: 'Contents' }).getByRole('link', { name: 'Structures' }).click()
    await page.getByRole('table', { name: 'Contents' }).getByRole('link', { name: 'Gridshell' }).click()
    await page.getByText('Solved', { exact: true }).waitFor()
    await addNode(page, 'Sphere', { x: 40, y: 40 })
    await findNode(page, 'Sph').waitFor()
    const documentId = new URL(page.url()).pathname.split('/').at(-1)

    await page.goto('/')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('tab', { name: 'API tokens' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Reports')
    await page.getByRole('button', { name: 'Create token' }).click()
    const secret = (await page.getByTestId('secret').textContent())!.trim()

    await until('the API has the sphere', async () => {
      const response = await fetch(`${app.demo.address}/api/v1/documents/${documentId}`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      assert.equal(response.status, 200)
      return (await response.text()).includes('"Sphere"')
    })
    app.checkTroubles()
  })
})
