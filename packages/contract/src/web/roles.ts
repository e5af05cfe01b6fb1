import Type from 'typebox'
import { MEMBER_ROLES } from '../members.ts'

/** An owner manages the team's settings, people and bin; a member edits and creates API tokens; a viewer reads. */
export const Role = Type.Enum([...MEMBER_ROLES])
