import type { Attack } from './attack.ts'
import { databaseKills } from './database-kills.ts'
import { history } from './history.ts'
import { hostileDocuments } from './hostile-documents.ts'
import { anonymous, pipelining, slowReaders, waits } from './http-floods.ts'
import { liveFloods } from './live-floods.ts'
import { slowSenders } from './slow-senders.ts'

export const ATTACKS: readonly Attack[] = [
  ...pipelining,
  ...anonymous,
  ...slowReaders,
  ...slowSenders,
  ...waits,
  ...liveFloods,
  ...hostileDocuments,
  ...history,
  ...databaseKills,
]
