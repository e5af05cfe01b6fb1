/** The addresses of the web app's pages, which the server answers with the app; `:name` stands for an id. */
export const APP_PAGES = [
  '/',
  '/sign-in',
  '/invitation',
  '/account',
  '/documents/:documentId',
  '/teams/:teamId',
  '/teams/:teamId/folders/:folderId',
  '/teams/:teamId/bin',
  '/teams/:teamId/settings',
  '/teams/:teamId/settings/:section',
] as const
