import { listParameterTypes } from '@meadow/document'

const TYPE_IDS = new Map(listParameterTypes().map(({ name, guid }) => [name, guid]))

/** The GUID of a parameter type, which files keep for ports that users can add; undefined for an unknown name. */
export function findTypeId(typeName: string): string | undefined {
  return TYPE_IDS.get(typeName)
}

/** The type that holds anything. */
export const DATA_TYPE_ID = '8ec86459-bf01-4409-baee-174d0d2b13d0'
