export type {} from '@meadow/contract'
