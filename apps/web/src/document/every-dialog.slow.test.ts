import { afterEach, describe, test } from 'node:test'
import { noBrowser } from '../testing/browser.ts'
import { shareDemo } from '../testing/share-demo.ts'
import { inspect } from '../testing/sights.ts'
import { useEditor } from '../testing/use-editor.ts'
import { makeSample, walkEditor } from '../testing/walk-editor.ts'

describe('every dialog of the editor', { skip: noBrowser }, () => {
  const app = useEditor(shareDemo, { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  test('[WEB-72] given the editor with each of its dialogs, when it is inspected, then there is no fault', () =>
    inspect(app, {}, async (page, look) => {
      await page.goto(`/documents/${await makeSample(app)}`)
      await walkEditor(page, look)
    }))
})
