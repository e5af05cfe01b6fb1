import type { Sharing } from '@meadow/contract/web'
import { type RawBuilder, sql } from 'kysely'

/** Who can open a document, as a column of a query of `document`. */
export const sharingColumn: RawBuilder<Sharing> = sql`
  case when document.shares_player = 1 then 'player' else document.visibility end`
