export * from './describe-contract.ts'
export type { JsonSchema } from './json-schema.ts'
export { nameOfReference } from './json-schema.ts'
