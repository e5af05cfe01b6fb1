/** The page that other sites may show in a frame: a public document, without a session. */
export const EMBED_PAGE = '/embed/:documentId'

/** The name of a `meta` element of that page, and of no other. */
export const EMBED_META = 'embedded'

/** The addresses of the web app's pages, which the server answers with the app; `:name` stands for an id. */
export const APP_PAGES = [
  '/',
  '/sign-in',
  '/forgot-password',
  '/reset-password',
  '/confirm-address',
  '/invitation',
  '/account',
  '/account/security',
  '/documents/:documentId',
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
