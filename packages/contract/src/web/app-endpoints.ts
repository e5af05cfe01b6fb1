import * as addresses from './addresses.ts'
import * as tokens from './api-tokens.ts'
import * as documents from './app-documents.ts'
import type { AppEndpoint } from './app-endpoint.ts'
import * as folders from './app-folders.ts'
import * as audit from './audit.ts'
import * as bin from './bin.ts'
import * as comments from './comments.ts'
import * as deletion from './deletion.ts'
import * as solutions from './editor-solution.ts'
import * as files from './files.ts'
import * as invitations from './invitations.ts'
import * as library from './library.ts'
import * as members from './members.ts'
import * as mirrors from './mirrors.ts'
import * as palette from './palette.ts'
import * as player from './player.ts'
import * as security from './security.ts'
import * as session from './session.ts'
import * as settings from './team-settings.ts'
import * as thumbnails from './thumbnails.ts'
import * as uploads from './uploads.ts'
import * as uses from './uses.ts'
import * as versions from './versions.ts'
import * as views from './views.ts'
import * as webhooks from './webhooks.ts'

const isEndpoint = (value: unknown): value is AppEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'needs' in value

/** Every endpoint of the web app, with the name of its declaration. */
export const APP_ENDPOINTS: readonly (AppEndpoint & { readonly name: string })[] = [
  session,
  security,
  addresses,
  settings,
  members,
  invitations,
  tokens,
  webhooks,
  folders,
  documents,
  versions,
  comments,
  views,
  files,
  bin,
  library,
  deletion,
  audit,
  mirrors,
  thumbnails,
  uploads,
  uses,
  solutions,
  player,
  palette,
].flatMap((module) =>
  Object.entries(module as Record<string, unknown>).flatMap(([name, value]) =>
    isEndpoint(value) ? [{ name, ...value }] : [],
  ),
)
