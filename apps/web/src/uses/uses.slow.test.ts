import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { addNodes, createNode } from '@meadow/client/live'
import { noBrowser } from '../testing/browser.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { findNode, useEditor } from '../testing/use-editor.ts'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const GRADIENT = '6da9f120-3ad0-4b6e-9fe0-f8cde3a649b7'

describe('uses', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  test('[WEB-96, WEB-97, WEB-98, WEB-99] given a document with a rare component, when its use is looked for from the menu of the node and with the keyboard, then the document opens with these nodes selected', async () => {
    const far = { x: 40_000, y: 0 }
    const id = await app.make('Rare one', (doc) =>
      addNodes(doc, [
        createNode(SLIDER, { position: { x: 0, y: 0 } }),
        createNode(GRADIENT, { position: { x: 300, y: 0 }, nickName: 'First' }),
        createNode(GRADIENT, { position: far, nickName: 'Far' }),
      ]),
    )
    const page = await app.show(id)
    await findNode(page, 'First').first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Which documents use this?' }).click()
    const results = page.getByRole('region', { name: 'Documents' })
    // The page updates itself until the document is indexed.
    await results.getByRole('link', { name: /^Rare one/ }).waitFor()
    assert.match(page.url(), new RegExp(`use=component%3A${GRADIENT}`))

    const field = page.getByRole('searchbox')
    await field.fill('gradient')
    await page.getByRole('link', { name: /^Gradient/ }).waitFor()
    await field.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await results.getByRole('link', { name: /^Rare one.*2 nodes/ }).click()
    await page.getByText('2 nodes use what you searched for.').waitFor()
    await page.locator('.react-flow__node.selected').first().waitFor()
    assert.equal(await page.locator('.react-flow__node.selected').count(), 2)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('2 nodes use').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).hash, '')
    await page.context().close()
  })
})
