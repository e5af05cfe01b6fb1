import { type CommandContext, CommandFailure, type Declaration, printable } from '@meadow/command'
import type { AppDocument, Sharing } from '@meadow/contract/web'
import { createResourceAccess, type DocumentAccess } from '../../access/resource-access.store.ts'
import { type Config, readConfig } from '../../config.ts'
import { createAppDocumentStore } from '../../features/documents/app-documents.store.ts'
import { PublicDocumentError, setVisibility } from '../../library/documents.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { openStorage, type Storage } from '../storage.ts'

/** `meadow-server document share` */
export const documentShare: Declaration = {
  name: 'share',
  summary: 'Print the link of a document, or change who can open it.',
  description:
    'Print the link of a document, and who can open it: its team, or anyone. With --public, everyone who has the link ' +
    'sees its graph, values and geometry without signing in, and nothing else of the team. With --player, they see what ' +
    'the player of the document shows, and nothing else of it.',
  arguments: { '<document>': 'The id of a document: the last part of its address.' },
  options: {
    '--public': { says: 'From now on anyone with the link can open it.', conflicts: ['player', 'private'] },
    '--player': { says: 'From now on anyone with the link can open its player.', conflicts: 'private' },
    '--private': 'From now on only its team can open it.',
  },
  examples: [
    'meadow-server document share <DOCUMENT>',
    'meadow-server document share <DOCUMENT> --public',
    'meadow-server document share <DOCUMENT> --player',
    'meadow-server document share <DOCUMENT> --private',
    'LINK=$(meadow-server document share <DOCUMENT> --public)',
  ],
  run: runShare,
}

interface Options {
  public?: true
  player?: true
  private?: true
}

async function runShare({ env, output }: CommandContext, id: string, options: Options): Promise<void> {
  const config = readConfig(env)
  await using storage = await openStorage({ env, output })
  const { access, document } = await getDocument(storage, id)
  const { name } = document
  const chosen = (['public', 'player', 'private'] as const).find((name) => options[name])
  const visibility = chosen ?? document.visibility
  if (visibility !== document.visibility)
    await changeTeam(storage.database, access.team, (change) =>
      setVisibility(change, access.document, visibility),
    ).catch((error: unknown) => {
      throw error instanceof PublicDocumentError ? new CommandFailure(describeRefused(error, access)) : error
    })
  const url = `${findAddress(config)}/${visibility === 'player' ? 'play' : 'documents'}/${document.id}`
  await output.data({ id: document.id, name, visibility, url }, () => url)
  if (config.baseUrl === undefined)
    output.warning('MEADOW_BASE_URL is not set, so the link has the address of this machine.')
  output.message(describeSharing(visibility, printable(name), printable(access.teamName)))
}

function describeSharing(visibility: Sharing, name: string, team: string): string {
  if (visibility === 'private') return `Only members of team "${team}" can open "${name}".`
  return `Anyone with the link can open ${visibility === 'player' ? 'the player of ' : ''}"${name}".`
}

const describeRefused = ({ message }: PublicDocumentError, { teamId }: DocumentAccess): string =>
  `${message} An owner can allow them in the settings of the team, and so does "meadow-server team public ${teamId} --allow".`

/** Fails with a sentence when there is none, or it is in the bin. */
async function getDocument(
  { database }: Storage,
  id: string,
): Promise<{ access: DocumentAccess; document: AppDocument }> {
  const access = await createResourceAccess(database).findDocument({ user: undefined, host: '' }, id)
  const document = access && (await createAppDocumentStore(database).readDocument(access))
  if (!document) {
    throw new CommandFailure(
      `There is no document "${printable(id)}". The id is the last part of a document's address; a document in the bin has ` +
        'to be restored first.',
    )
  }
  return { access, document }
}

/** Returns the address of the service without a closing slash. */
function findAddress({ baseUrl, host, port }: Config): string {
  if (baseUrl !== undefined) return baseUrl
  const isEverywhere = host === '0.0.0.0' || host === '::'
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
}
