import type { JsonSchema } from '@meadow/contract/description'
import type { OpenApi } from '@meadow/contract/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Fails with what does not fit. */
export type AssertFits = (schema: JsonSchema, value: unknown, about: string) => void

/** Ajv with every component schema of a description, compiled as JSON Schema 2020-12 in its strict mode. */
export function compileSchemas({ components }: Pick<OpenApi, 'components'>): AssertFits {
  const ajv = new Ajv2020({ strict: true, validateFormats: true })
  addFormats.default(ajv)
  ajv.addVocabulary(['components'])
  ajv.addSchema({ components: { schemas: components.schemas } }, '')
  for (const name of Object.keys(components.schemas)) ajv.getSchema(`#/components/schemas/${name}`)
  const compiled = new Map<string, ValidateFunction>()

  return (schema, value, about) => {
    const key = JSON.stringify(schema)
    const validate = compiled.get(key) ?? ajv.compile(schema)
    compiled.set(key, validate)
    if (!validate(value)) throw new Error(`${about}: ${ajv.errorsText(validate.errors)}`)
  }
}
