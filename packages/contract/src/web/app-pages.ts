/** The page that other sites may show in a frame: a public document, without a session. */
export const EMBED_PAGE = '/embed/:documentId'

/** The page that other sites may show in a frame to embed the player of a public document. */
export const EMBED_PLAYER_PAGE = '/embed/:documentId/play'

/** The player: the page of a document for people who do not read graphs. It has an HTML file of its own. */
export const PLAYER_PAGE = '/play/:documentId'

/** The name of a `meta` element that only the two embedded pages have. */
export const EMBED_META = 'embedded'

/** The addresses of the web app's pages, which the server answers with the app; `:name` stands for an id. */
export const APP_PAGES = [
  '/',
  '/sign-in',
  '/forgot-password',
  '/reset-password',
  '/confirm-address',
  '/invitation',
  '/device',
  '/account',
  '/account/security',
  '/documents/:documentId',
  PLAYER_PAGE,
  '/files/:fileId',
  '/teams/:teamId',
  '/teams/:teamId/folders/:folderId',
  '/teams/:teamId/recent',
  '/teams/:teamId/favourites',
  '/teams/:teamId/bin',
  '/teams/:teamId/uses',
  '/teams/:teamId/settings',
  '/teams/:teamId/settings/:section',
] as const
