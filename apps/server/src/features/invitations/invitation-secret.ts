import { randomBase32 } from '../../platform/base32.ts'

/** By which an invitation is told from other secrets. */
const PREFIX = 'mdi_'
/** 160 random bits: they need no slow hash. */
const RANDOM_LENGTH = 32

export const createInvitationSecret = (): string => `${PREFIX}${randomBase32(RANDOM_LENGTH)}`
