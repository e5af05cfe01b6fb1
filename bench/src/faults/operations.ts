import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { addNodes, removeNodes, renameNode } from '@meadow/client/live'
import type { GraphContent } from '@meadow/contract'
import { createSlider } from '@meadow/server/src/features/live/testing/sliders.ts'
import { tubes } from '@meadow/server/src/features/solutions/testing/graphs.ts'
import { createDocument } from '@meadow/server/src/library/documents.ts'
import { findFolder } from '@meadow/server/src/library/folders.ts'
import { changeTeam } from '@meadow/server/src/team/team-transaction.ts'
import { findTeam } from '@meadow/server/src/team/teams.ts'
import { createDefinitionFile } from '@meadow/server/src/testing/definition-file.ts'
import { putFile } from '@meadow/server/src/testing/definition-folder.ts'
import { rejectOn } from '../harness/reject-on.ts'
import { type World, withoutIds } from './world.ts'

/** What a user does, and is told of: it rejects unless it was acknowledged. */
export interface Step {
  name: string
  run(world: World): Promise<void>
}

/** What is done while one call fails, one step after the other. */
export interface Operation {
  name: string
  /** What the environment has besides. */
  env?: Record<string, string>
  /** Whether only commands run, and no server. */
  isAlone?: true
  /** Whether a step is one transaction for each item, so that each item may be as before or as after. */
  isPerItem?: true
  /** Whether a server goes on with a step that was begun, when it is started or a minute later. */
  isContinued?: true
  /** Makes what the steps need, while no server runs. */
  prepare?(world: World): Promise<void>
  /** The same afterwards, while a server runs. */
  prepareServed?(world: World): Promise<void>
  steps: readonly Step[]
  /** What a user sees, by name, without what differs from run to run. */
  view(world: World): Promise<Record<string, unknown>>
}

const nodesOf = ({ nodes }: GraphContent): string[] =>
  Object.values(nodes)
    .map((node) => withoutIds(JSON.stringify(node)))
    .toSorted()

/** What each document contains, by the names of its folder and its own. */
async function viewDocuments({ api }: World): Promise<Record<string, unknown>> {
  const { status, json } = await api('/documents')
  if (status !== 200) throw new Error(`The list of documents was answered with ${status}.`)
  const { documents } = json
  const seen: Record<string, unknown> = {}
  for (const { id, name } of documents) {
    const { json } = await api(`/documents/${id}`)
    seen[`document ${name}`] = [json.document.visibility, nodesOf(json.document)]
  }
  return seen
}

/** The longest time that an edit may take. */
const ACKNOWLEDGED_MS = 6000

async function edit({ open, given }: World, change: (live: Awaited<ReturnType<World['open']>>) => void) {
  const live = await open(given.documentId)
  try {
    change(live)
    // A connection that breaks is restored without a limit.
    await Promise.race([live.durable(), rejectOn(AbortSignal.timeout(ACKNOWLEDGED_MS))])
  } finally {
    live.close()
  }
}

const addSliderNamed = (world: World, nickName: string) =>
  edit(world, (live) => live.edit((doc) => addNodes(doc, [{ ...createSlider(), nickName }])))

/** The id of a node with this name. */
function findNode(live: Awaited<ReturnType<World['open']>>, nickName: string): string {
  const found = Object.entries(live.read().nodes).find(([, node]) => node.nickName === nickName)
  if (!found) throw new Error(`There is no node "${nickName}".`)
  return found[0]
}

const editing: Operation = {
  name: 'edit',
  steps: [
    { name: 'add a node', run: (world) => addSliderNamed(world, 'First') },
    {
      name: 'rename it',
      run: (world) =>
        edit(world, (live) => {
          const id = findNode(live, 'First')
          live.edit((doc) => renameNode(doc, id, 'Renamed'))
        }),
    },
  ],
  view: viewDocuments,
}

const listTokens = async ({ app, given }: World): Promise<{ id: string; name: string; state: string }[]> =>
  (await app('GET', `/teams/${given.teamId}/tokens`, 200)).json.tokens

const token: Operation = {
  name: 'token',
  steps: [
    {
      name: 'create',
      async run({ app, given, memory }) {
        const body = { name: 'CI', scopes: ['team:read'] }
        const { json } = await app('POST', `/teams/${given.teamId}/tokens`, 201, body)
        memory.set('secret', json.secret)
      },
    },
    {
      name: 'revoke',
      async run(world) {
        const { id } = (await listTokens(world)).find(({ name }) => name === 'CI')!
        await world.app('DELETE', `/teams/${world.given.teamId}/tokens/${id}`, 204)
      },
    },
  ],
  async view(world) {
    const tokens = (await listTokens(world)).map(({ name, state }) => `${name} ${state}`).toSorted()
    const secret = world.memory.get('secret')
    const isValid =
      secret === undefined ? tokens.includes('CI valid') : (await world.api('/team', secret)).status === 200
    return { tokens, isValid }
  },
}

const uploading = (name: string, text: string, query = ''): Step => ({
  name,
  async run({ app, given }) {
    const path = `/folders/${given.folderId}/uploads?fileName=Bridge.gh${query}`
    await app('POST', path, 200, createDefinitionFile({ text, panels: 2 }))
  },
})

const upload: Operation = {
  name: 'upload',
  steps: [uploading('new', 'first'), uploading('changed', 'second', '&onConflict=replace')],
  view: viewDocuments,
}

const importing: Operation = {
  name: 'import',
  isPerItem: true,
  async prepare({ place }) {
    for (const name of ['a', 'b', 'c'])
      await putFile(join(place.folder, 'files'), `${name}.gh`, createDefinitionFile({ text: name }))
  },
  steps: [
    {
      name: 'import three files',
      run: async ({ command, given, place }) =>
        void (await command('import', join(place.folder, 'files'), '--team', given.teamId)),
    },
  ],
  view: viewDocuments,
}

const mirror: Operation = {
  name: 'mirror',
  isPerItem: true,
  async prepare({ place, command, given }) {
    const files = join(place.folder, 'files')
    for (const name of ['a', 'b']) await putFile(files, `${name}.gh`, createDefinitionFile({ text: name }))
    await command('mirror', 'add', files, '--team', given.teamId, '--gone', 'bin')
    await command('mirror', 'run', '--all')
    await rm(join(files, 'a.gh'))
    await putFile(files, 'b.gh', createDefinitionFile({ text: 'changed' }), Date.now())
    await putFile(files, 'c.gh', createDefinitionFile({ text: 'c' }))
  },
  steps: [
    {
      name: 'run',
      // One of three files is gone, which is more than a run accepts unless it is told to.
      run: async ({ command }) => void (await command('mirror', 'run', '--all', '--max-gone', '100')),
    },
  ],
  view: viewDocuments,
}

interface ListedVersion {
  id: string
  kind: string
  name: string | null
  nodes: number
}

const listVersions = async ({ app, given }: World): Promise<ListedVersion[]> =>
  (await app('GET', `/documents/${given.documentId}/versions`, 200)).json.versions

const version: Operation = {
  name: 'version',
  steps: [
    {
      name: 'keep',
      run: async ({ app, given }) =>
        void (await app('POST', `/documents/${given.documentId}/versions`, 201, { name: 'As built' })),
    },
    {
      name: 'remove all nodes',
      run: (world) =>
        edit(world, (live) => live.edit((doc) => removeNodes(doc, Object.keys(live.read().nodes)))),
    },
    {
      name: 'restore',
      async run(world) {
        const { id } = (await listVersions(world)).find(({ name }) => name === 'As built')!
        const path = `/documents/${world.given.documentId}/versions/${id}/restore`
        await world.app('POST', path, 200, { appliedBy: 'server' })
      },
    },
  ],
  async view(world) {
    const versions: Record<string, unknown> = {}
    for (const { id, name } of await listVersions(world)) {
      if (name === null) continue
      const path = `/documents/${world.given.documentId}/versions/${id}/graph`
      versions[`version ${name}`] = nodesOf((await world.app('GET', path, 200)).json.graph)
    }
    return { ...(await viewDocuments(world)), ...versions }
  },
}

const listBin = async ({ app, given }: World): Promise<{ id: string; name: string }[]> =>
  (await app('GET', `/teams/${given.teamId}/bin`, 200)).json.items

const purge: Operation = {
  name: 'purge',
  steps: [
    {
      name: 'move to the bin',
      run: async ({ app, given }) => void (await app('DELETE', `/documents/${given.documentId}`, 204)),
    },
    {
      name: 'delete permanently',
      async run(world) {
        const { id } = (await listBin(world))[0]!
        await world.app('DELETE', `/bin/${id}`, 204)
      },
    },
  ],
  view: async (world) => ({
    ...(await viewDocuments(world)),
    bin: (await listBin(world)).map(({ name }) => name),
  }),
}

const teamPurge: Operation = {
  name: 'team-purge',
  isContinued: true,
  steps: [
    {
      name: 'delete the team',
      run: async ({ command, given }) =>
        void (await command('team', 'delete', given.teamId, '--now', '--name', 'Acme')),
    },
  ],
  view: async ({ api }) => ({ status: (await api('/team')).status }),
}

/** A document that can be solved, in place of the imported one. */
async function addTubes({ database, given, command }: World): Promise<void> {
  const { key } = (await findTeam(database.read, given.teamId))!
  const folder = (await findFolder(database.read, key, 'root'))!.key
  const bytes = Buffer.from(JSON.stringify(tubes()))
  const { id } = await changeTeam(database, key, (change) =>
    createDocument(change, { folder, name: 'Tubes', content: { kind: 'inline', bytes } }),
  )
  given.documentId = id
  await command('team', 'credits', given.teamId, '--add', '100')
}

async function viewSolution(world: World): Promise<Record<string, unknown>> {
  const { status, text } = await world.api(`/documents/${world.given.documentId}/solution`)
  return {
    status,
    solution: status === 200 ? withoutIds(text).replace(/"durationMs":\d+/g, '') : '',
  }
}

const solve: Operation = {
  name: 'solve',
  env: { MEADOW_SOLVE_WORKERS: '1' },
  prepare: addTubes,
  steps: [
    {
      name: 'ask',
      run: async ({ app, given }) => void (await app('POST', `/documents/${given.documentId}/solves`, 202)),
    },
    { name: 'wait', run: (world) => awaitSolution(world) },
  ],
  view: viewSolution,
}

const awaitSolution = ({ api, given }: World): Promise<void> =>
  waitFor(
    'There is no solution yet.',
    async () => (await api(`/documents/${given.documentId}/solution`)).status === 200,
  )

/** Waits for something, for a while. */
async function waitFor(sentence: string, isThere: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 6000
  while (!(await isThere())) {
    if (performance.now() > end) throw new Error(sentence)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function exportTubes({ app, given }: World): Promise<string> {
  const { json } = await app('POST', `/documents/${given.documentId}/exports`, 200, { format: '.3dm' })
  const response = await fetch(json.export.url)
  const bytes = await response.bytes()
  if (response.status !== 200 || bytes.length !== json.export.size)
    throw new Error(`The link was answered with ${response.status} and ${bytes.length} bytes.`)
  return `${json.export.fileName} ${json.export.archiveVersion}`
}

const exporting: Operation = {
  name: 'export',
  env: { MEADOW_SOLVE_WORKERS: '1' },
  prepare: addTubes,
  async prepareServed(world) {
    await world.app('POST', `/documents/${world.given.documentId}/solves`, 202)
    await awaitSolution(world)
  },
  steps: [{ name: 'export and follow the link', run: async (world) => void (await exportTubes(world)) }],
  // Whether it is made already is not seen.
  view: async (world) => ({ file: await exportTubes(world) }),
}

const webhook: Operation = {
  name: 'webhook',
  async prepareServed({ app, given, receiver }) {
    const webhook = { name: 'Hook', url: receiver.url, events: ['document.changed'] }
    await app('POST', `/teams/${given.teamId}/webhooks`, 201, webhook)
  },
  steps: [
    {
      name: 'create a document',
      run: async ({ app, given }) =>
        void (await app('POST', `/folders/${given.folderId}/documents`, 201, { name: 'New' })),
    },
    {
      name: 'wait for the message',
      run: ({ receiver }) =>
        waitFor('The message has not arrived yet.', async () => receiver.received.length > 0),
    },
  ],
  async view(world) {
    // A message may come twice.
    const received = world.receiver.received.map(
      ({ message: { type, data } }) => `${type} ${data.document?.name}`,
    )
    return { ...(await viewDocuments(world)), received: [...new Set(received)].toSorted() }
  },
}

const backup: Operation = {
  name: 'backup',
  steps: [
    {
      name: 'back up',
      run: async ({ command, place }) => void (await command('backup', join(place.folder, 'backup'))),
    },
  ],
  async prepare({ place }) {
    await mkdir(join(place.folder, 'backup'))
  },
  async view({ command, place }) {
    const { stdout } = await command('restore', join(place.folder, 'backup'), '--list', '--json')
    const { moments } = JSON.parse(stdout) as { moments: { documents: number; faults: number }[] }
    if (moments.length > 0) await command('restore', join(place.folder, 'backup'), '--check')
    return { saved: moments.at(0)?.documents ?? 0, faults: moments.at(0)?.faults ?? 0 }
  },
}

const restore: Operation = {
  name: 'restore',
  isAlone: true,
  async prepare({ place, command, startOver }) {
    await mkdir(join(place.folder, 'backup'))
    await command('backup', join(place.folder, 'backup'))
    await startOver()
  },
  steps: [
    {
      name: 'restore',
      run: async ({ command, place }) => void (await command('restore', join(place.folder, 'backup'))),
    },
  ],
  view: viewDocuments,
}

export const OPERATIONS: readonly Operation[] = [
  ...[editing, token, upload, importing, version, purge, teamPurge],
  ...[solve, exporting, webhook, mirror, backup, restore],
]
