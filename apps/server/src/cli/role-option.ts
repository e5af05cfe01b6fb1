import { MEMBER_ROLES } from '@meadow/contract'
import { Option } from 'commander'

/** `--role`: what a member may do in the team. */
export const roleOption = (): Option =>
  new Option(
    '--role <role>',
    'What the user may do in the team: an owner everything, a member edit, a viewer look.',
  )
    .choices(MEMBER_ROLES)
    .default('member')
