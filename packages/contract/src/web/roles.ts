import Type from 'typebox'
import { MEMBER_ROLES, type MemberRole } from '../members.ts'

/** An owner keeps the team's settings, people and bin; a member edits and makes API tokens; a viewer looks. */
export const Role = Type.Enum([...MEMBER_ROLES])

/** Whether who has this role may do what needs that one. */
export const hasRole = (role: MemberRole, needed: MemberRole): boolean =>
  MEMBER_ROLES.indexOf(role) <= MEMBER_ROLES.indexOf(needed)
