export type * from './description.ts'
export * from './generated/descriptions.ts'
