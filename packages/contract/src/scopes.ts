/** What a token may be allowed to do (decision 4). A token has all of them unless its creator picks fewer. */
export const SCOPES = {
  'team:read': "Read the team's name and root folder.",
  'folders:read': 'Read folders.',
  'documents:read': 'Read and search documents.',
  'solutions:read': 'Read solutions.',
  'exports:read': 'Ask for exports.',
} as const

export type Scope = keyof typeof SCOPES

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[]

/** How many folders a token may be limited to: a search with it looks into each. */
export const MAX_TOKEN_FOLDERS = 20
