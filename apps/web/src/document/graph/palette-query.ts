import { readPalette } from '@meadow/contract/web'
import { queryOf } from '../../api/queries.ts'

/** What the solver knows is the same for as long as the server runs. */
export const paletteQuery = { ...queryOf(readPalette), staleTime: Number.POSITIVE_INFINITY }
