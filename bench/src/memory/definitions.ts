import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Chunk } from '@meadow/grasshopper'
import { chunk, item, writeDefinitionFile } from '@meadow/server/src/testing/definition-file.ts'
import { createRandom, type Random } from '@meadow/server/src/testing/random.ts'
import { documentName, folderName } from '../team/names.ts'

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const FILES_PER_FOLDER = 40
const PANELS_PER_FILE = 30

/** Writes small, different definitions, 40 per folder: chains of connected panels. */
export async function writeDefinitions(folder: string, files: number): Promise<void> {
  const random = createRandom(files)
  let current = folder
  for (let made = 0; made < files; made++) {
    if (made % FILES_PER_FOLDER === 0) {
      current = join(folder, folderName(random, 1, made / FILES_PER_FOLDER))
      await mkdir(current, { recursive: true })
    }
    const file = join(current, `${String(made).padStart(5, '0')} ${documentName(random)}.gh`)
    await writeFile(file, writeDefinitionFile(chainOfPanels(random)))
  }
}

function chainOfPanels(random: Random): Chunk[] {
  const ids = Array.from({ length: PANELS_PER_FILE }, () => random.uuid())
  return ids.map((id, index) => panel(id, ids[index - 1], index, `${random.fraction()}`))
}

function panel(id: string, source: string | undefined, index: number, text: string): Chunk {
  const attributes = chunk('Attributes', [
    item('Bounds', 'drawing_rectanglef', { x: index * 200, y: 0, width: 160, height: 100 }),
    item('Pivot', 'drawing_pointf', { x: index * 200, y: 0 }),
  ])
  const items = [
    item('Name', 'string', 'Panel'),
    item('NickName', 'string', ''),
    item('Description', 'string', 'A panel for custom notes and text values'),
    item('InstanceGuid', 'guid', id),
    item('Optional', 'bool', false),
    item('SourceCount', 'int32', source ? 1 : 0),
    ...(source ? [item('Source', 'guid', source, 0)] : []),
    item('UserText', 'string', text),
  ]
  const container = chunk('Container', items, [attributes])
  return chunk('Object', [item('GUID', 'guid', PANEL), item('Name', 'string', 'Panel')], [container], index)
}
