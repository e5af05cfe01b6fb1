import type { Scope } from '@meadow/contract'
import type { Access } from '@meadow/contract/web'
import type { FastifyInstance } from 'fastify'

/**
 * Who may use a route: people as `Access` says, API tokens with the scope, or whoever has a signed link (`link`).
 * Routes outside the API take no token, whatever they declare.
 */
export type RouteAccess = Access | Scope | 'link'

/** A route as it was mounted. */
export interface MountedRoute {
  method: string
  /** The path of the route, with `:name` for each parameter. */
  path: string
  access: RouteAccess
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required: a route without it cannot be mounted. */
    access?: RouteAccess
  }
  interface FastifyInstance {
    /** Every route, in the order in which they were mounted. */
    mountedRoutes: MountedRoute[]
  }
}

/** The options of a route for everyone. */
export const FOR_ANYONE = { config: { access: 'anyone' } } as const

/** Makes mounting a route throw, from now on, when the route does not declare who may use it. */
export function requireAccess(app: FastifyInstance): void {
  const mounted: MountedRoute[] = []
  app.decorate('mountedRoutes', mounted)
  app.addHook('onRoute', ({ method, url, config }) => {
    const access = config?.access
    if (access === undefined)
      throw new Error(
        `The route ${method} ${url} does not say who may use it: declare its \`config.access\`.`,
      )
    for (const one of [method].flat()) mounted.push({ method: one, path: url, access })
  })
}
