import { createItem, setItem, setItems } from '../../archive/tree/edit.ts'
import { listItems } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { isGuid, toList } from '../model/coerce.ts'
import { int32, readFields, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const FIELDS = { intervalMs: int32('TimerInterval') }

export const TIMER: StateKind = {
  kind: 'timer',
  classes: [CLASS.trigger],
  read: ({ container }) => ({
    kind: 'timer',
    ...readFields(container, FIELDS),
    targetIds: listItems(container, 'Target', 'guid'),
  }),
  write({ container }, change) {
    writeFields(container, FIELDS, change)
    change.member('targetIds', (ids) => {
      const targets = toList(ids).filter(isGuid)
      setItems(container, 'guid', 'Target', targets)
      setItem(container, 'int32', 'TargetCount', targets.length)
    })
  },
  create: () => [createItem('int32', 'TimerInterval', 1000), createItem('int32', 'TargetCount', 0)],
}
