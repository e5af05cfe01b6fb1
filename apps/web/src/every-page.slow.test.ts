import { afterEach, describe, test } from 'node:test'
import { noBrowser } from './testing/browser.ts'
import { inspect } from './testing/sights.ts'
import { TOUCH_PHONE, useApp } from './testing/start-app.ts'
import { startDemo } from './testing/start-demo.ts'
import { walkPages } from './testing/walk-pages.ts'

describe('every page around the editor', { skip: noBrowser }, () => {
  const app = useApp(() => startDemo({ solved: [] }), { drawsGeometry: false })
  afterEach(() => app.checkTroubles())

  test('[WEB-10, WEB-11, WEB-72, WEB-73] given every page and dialog around the editor, when it is inspected, then there is no fault', () =>
    inspect(app, {}, walkPages))

  test('[WEB-10, WEB-11, WEB-72] given a phone, when every page is inspected, then there is no fault', () =>
    inspect(
      app,
      TOUCH_PHONE,
      // The stored pictures are those of a desktop.
      (page, look) => walkPages(page, (page, name) => look(page, name), { onlyPages: true }),
      { onlyLight: true },
    ))
})
