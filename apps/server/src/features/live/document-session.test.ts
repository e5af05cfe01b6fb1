import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UserId } from '@meadow/contract'
import { addNodes, moveNodes } from '@meadow/document/live'
import * as Y from 'yjs'
import { openChangeNotifications } from '../../content/change-notifications.ts'
import { givenContent } from '../../content/testing/given-content.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { openDocumentSession } from './document-session.ts'
import { createSlider } from './testing/sliders.ts'

for (const kind of DATABASES) {
  describe(`a document that is open, on ${kind.name}`, kind.options, () => {
    test('[LIV-5] given an editor who makes several edits, then the owner of its Yjs client is known, and not queried again', async (t) => {
      const { live, team, changes, parts, database, editor } = await givenContent(t, kind)
      const { key } = await live()
      let queries = 0
      const listOwners: typeof parts.store.listOwners = (document) => {
        queries++
        return parts.store.listOwners(document)
      }
      const fail = (error: unknown) => assert.fail(String(error))
      const notifications = openChangeNotifications(database, fail)
      atEnd(t, () => notifications.close())
      const doc = new Y.Doc()
      const session = await openDocumentSession(
        {
          content: { ...parts, store: { ...parts.store, listOwners } },
          contents: { shareReplica: () => () => {} },
          changes,
          notifications,
          onError: fail,
        },
        { document: key, team },
        doc,
        () => {},
      )
      atEnd(t, () => session.close())
      const ann = await editor('ann')
      const copy = new Y.Doc()
      const sent: Uint8Array[] = []
      copy.on('update', (edit: Uint8Array) => sent.push(edit))
      const slider = createSlider()
      addNodes(copy, [slider])
      for (let x = 1; x <= 3; x++) moveNodes(copy, { [slider.instanceId]: { x, y: 0 } })
      for (const edit of sent) assert.equal(await session.receive(edit, ann), undefined)
      assert.equal(queries, 1)
      assert.equal(session.ownsClient(copy.clientID, 'usr_1111111111111111' as UserId), false)
    })
  })
}
