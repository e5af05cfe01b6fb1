import { MeadowError } from './errors.ts'
import { ENDPOINTS, type EndpointName } from './generated/endpoints.ts'

/**
 * Returns the path of an endpoint, for `Meadow.request`: `endpointPath('readSolution', id)`. `ids` are the parameters
 * of the path, in their order. Throws `MeadowError` for an empty id, `.` and `..`.
 */
export function endpointPath(endpoint: EndpointName, ...ids: readonly string[]): string {
  let next = 0
  return ENDPOINTS[endpoint].path.replace(/\{\w+\}/g, () => {
    const id = ids[next++]!
    // An address cannot express `.` and `..`: they would name another path.
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
      throw new MeadowError(`${JSON.stringify(id)} is not an id: give one that the service issued.`)
    return encodeURIComponent(id)
  })
}
