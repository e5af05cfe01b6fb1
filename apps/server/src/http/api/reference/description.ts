import type { ExampleCall } from '@meadow/contract/examples'
import type { Schema, Schemas } from './schemas.ts'

/** The OpenAPI description, as far as the page shows it. */
export interface Description {
  info: { title: string; version: string; description: string }
  paths: Record<string, { get: Operation }>
  components: { schemas: Schemas }
}

export interface Operation {
  operationId: ExampleCall
  summary: string
  description?: string
  parameters: readonly Parameter[]
  responses: Record<string, ResponseOf>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

export interface ResponseOf {
  description: string
  headers?: Record<string, { description: string; schema: Schema }>
  content?: {
    'application/json': { schema: Schema; examples?: Record<string, { value: { error: string } }> }
  }
}
