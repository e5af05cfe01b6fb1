import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { FolderId } from './ids.ts'

export const Team = Type.Object(
  { name: Type.String({ description: "The team's name." }), rootFolderId: FolderId },
  { $id: 'Team', description: 'The team that the token belongs to.' },
)
export type Team = Static<typeof Team>

export const readTeam = endpoint({
  name: 'readTeam',
  path: '/team',
  summary: 'The team that the token belongs to.',
  scope: 'team:read',
  params: Type.Object({}),
  query: Type.Object({}),
  response: Type.Object({ team: Team }),
  errors: ['team_without_root'],
})
