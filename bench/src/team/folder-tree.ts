import { folderName } from './names.ts'
import type { Random } from './random.ts'

/** A folder to be made. */
export interface PlannedFolder {
  name: string
  /** How many documents lie directly in it. */
  documents: number
  /** How many lie anywhere below it, its own included. */
  documentsBelow: number
  folders: PlannedFolder[]
}

/** Nobody keeps more definitions than that in a folder without making folders in it. */
const MOST_DOCUMENTS = 45

/** A tree as teams have them: projects of very different sizes, some documents lying about on every floor. */
export function planFolders(random: Random, documents: number, depth = 0, name = ''): PlannedFolder {
  if (documents <= MOST_DOCUMENTS) {
    return { name, documents, documentsBelow: documents, folders: [] }
  }
  const own = random.whole(2, 12)
  const wanted = Math.min(random.whole(12, 48), Math.ceil((documents - own) / 20))
  const weights = Array.from({ length: wanted }, () => 0.1 + random.share() ** 2)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let left = documents - own
  const folders = weights.map((weight, place) => {
    const isLast = place === wanted - 1
    const share = isLast ? left : Math.min(left, Math.round(((documents - own) * weight) / whole))
    left -= share
    return planFolders(random, share, depth + 1, folderName(random, depth + 1, place))
  })
  return { name, documents: own, documentsBelow: documents, folders }
}
