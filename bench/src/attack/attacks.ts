import { anonymous } from './anonymous.ts'
import type { Attack } from './attack.ts'
import { databaseKills } from './database-kills.ts'
import { hostileDocuments } from './hostile-documents.ts'
import { liveFloods } from './live-floods.ts'
import { pipelining } from './pipelining.ts'
import { slowReaders } from './slow-readers.ts'
import { slowSenders } from './slow-senders.ts'
import { waits } from './waits.ts'

export const ATTACKS: readonly Attack[] = [
  ...pipelining,
  ...anonymous,
  ...slowReaders,
  ...slowSenders,
  ...waits,
  ...liveFloods,
  ...hostileDocuments,
  ...databaseKills,
]
