import { TEXT_KINDS } from '@meadow/contract/web/terms'
import type { ReferencedModel, ReferencedObject } from '@meadow/model'
import type { Database } from '../../platform/database/database.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'

/** Finds the files of the tree that solving a document reads. */
export interface ReferencedModelStore {
  /**
   * Finds, for each object id that a model of the document's team has, the models in the nearest folder (rule REF-2).
   * Models in the bin do not count.
   */
  findModels(document: DocumentKey, ids: readonly string[]): Promise<ReferencedObject[]>
  /** Lists the texts in the document's folder, by name. */
  listTexts(document: DocumentKey): Promise<TextBeside[]>
}

/** A text file in the folder of a document. */
export interface TextBeside {
  name: string
  digest: string
  /** The size in bytes. */
  size: number
}

export function createReferencedModelStore({ read }: Pick<Database, 'read'>): ReferencedModelStore {
  return {
    async findModels(document, ids) {
      const home = await read
        .selectFrom('document')
        .innerJoin('folder', 'folder.id', 'document.folder_id')
        .where('document.id', '=', document)
        .select(['document.team_id as team', 'folder.path'])
        .executeTakeFirst()
      if (!home) return []
      const found: FoundModel[] = []
      for (const portion of inBatches(ids)) {
        const rows = await read
          .selectFrom('model_object')
          .innerJoin('team_file', 'team_file.id', 'model_object.file_id')
          .innerJoin('folder', 'folder.id', 'team_file.folder_id')
          .where('model_object.object_id', 'in', portion)
          .where('team_file.team_id', '=', home.team)
          .where('team_file.kind', '=', 'model')
          .where('team_file.bin_id', 'is', null)
          .orderBy('team_file.id')
          .select([
            'model_object.object_id as id',
            'team_file.blob as digest',
            'team_file.name',
            'team_file.source_size as size',
            'team_file.facts',
            'folder.path',
          ])
          .execute()
        found.push(...rows)
      }
      return chooseNearest(home.path, found)
    },

    listTexts: (document) =>
      read
        .selectFrom('document')
        .innerJoin('team_file', 'team_file.folder_id', 'document.folder_id')
        .where('document.id', '=', document)
        .where('team_file.kind', 'in', TEXT_KINDS)
        .where('team_file.bin_id', 'is', null)
        .orderBy('team_file.name')
        .select(['team_file.name', 'team_file.blob as digest', 'team_file.source_size as size'])
        .execute(),
  }
}

interface FoundModel extends Omit<ReferencedModel, 'units'> {
  id: string
  /** The JSON of a `FileFacts`. */
  facts: string
  /** The path of its folder, as in `FolderTable`. */
  path: string
}

/** Returns, for each object, the models in the nearest folder. Models with the same bytes count once. */
export function chooseNearest(home: string, found: readonly FoundModel[]): ReferencedObject[] {
  return [...Map.groupBy(found, ({ id }) => id)].map(([id, models]) => {
    const distances = models.map(({ path }) => measureDistance(home, path))
    const least = distances.reduce((a, b) => (compareDistances(a, b) <= 0 ? a : b))
    const nearest = models.filter((_, i) => compareDistances(distances[i]!, least) === 0)
    const distinct = new Map(nearest.map((model) => [model.digest, toModel(model)]))
    return { id, models: [...distinct.values()] }
  })
}

const toModel = ({ digest, name, size, facts }: FoundModel): ReferencedModel => ({
  digest,
  name,
  size,
  units: JSON.parse(facts).units?.name ?? null,
})

/** The steps from one folder to another: first up to the common ancestor, then down. */
interface Distance {
  up: number
  down: number
}

/** Fewer steps up are nearer, however many lead down from there (rule REF-2). */
const compareDistances = (a: Distance, b: Distance) => a.up - b.up || a.down - b.down

function measureDistance(from: string, to: string): Distance {
  const [a, b] = [from, to].map((path) => path.split('/').filter((key) => key !== '')) as [string[], string[]]
  let common = 0
  while (common < a.length && a[common] === b[common]) common++
  return { up: a.length - common, down: b.length - common }
}
