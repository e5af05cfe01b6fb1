import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UserId } from '@meadow/contract'
import { addNodes, moveNodes } from '@meadow/document/live'
import * as Y from 'yjs'
import { openChangeNotifications } from '../../content/change-notifications.ts'
import { givenContent } from '../../content/testing/given-content.ts'
import { atEnd } from '../../testing/at-end.ts'
import { DATABASES } from '../../testing/databases.ts'
import { openRoom } from './room.ts'
import { createSlider } from './testing/sliders.ts'

for (const kind of DATABASES) {
  describe(`a document that is open, on ${kind.name}`, kind.options, () => {
    test('[LIV-5] given an editor who goes on editing, then whose the edits are is known, and not looked up again', async (t) => {
      const { live, team, changes, parts, database, editor } = await givenContent(t, kind)
      const { key } = await live()
      let looks = 0
      const listOwners: typeof parts.store.listOwners = (document) => {
        looks++
        return parts.store.listOwners(document)
      }
      const fail = (error: unknown) => assert.fail(String(error))
      const heads = openChangeNotifications(database, fail)
      atEnd(t, () => heads.close())
      const doc = new Y.Doc()
      const room = await openRoom(
        {
          content: { ...parts, store: { ...parts.store, listOwners } },
          contents: { shareReplica: () => () => {} },
          changes,
          heads,
          onError: fail,
        },
        { document: key, team },
        doc,
        () => {},
      )
      atEnd(t, () => room.close())
      const ann = await editor('ann')
      const copy = new Y.Doc()
      const sent: Uint8Array[] = []
      copy.on('update', (edit: Uint8Array) => sent.push(edit))
      const slider = createSlider()
      addNodes(copy, [slider])
      for (let x = 1; x <= 3; x++) moveNodes(copy, { [slider.instanceId]: { x, y: 0 } })
      for (const edit of sent) assert.equal(await room.receive(edit, ann), undefined)
      assert.equal(looks, 1)
      assert.equal(room.mayBe(copy.clientID, 'usr_1111111111111111' as UserId), false)
    })
  })
}
