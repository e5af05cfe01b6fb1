import type { FastifyInstance } from 'fastify'
import { FOR_ANYONE } from './route-access.ts'

/** RFC 9116 recommends less than a year. */
const VALID_MS = 180 * 86_400_000

/** Mounts `/.well-known/security.txt` (RFC 9116), where the operator has said whom to write to. */
export function mountSecurityText(
  app: FastifyInstance,
  { baseUrl, securityContact }: { baseUrl: string | undefined; securityContact: string | undefined },
): void {
  if (securityContact === undefined) return
  const path = '/.well-known/security.txt'
  app.get(path, FOR_ANYONE, (_request, reply) => {
    const fields = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(Date.now() + VALID_MS).toISOString()}`,
      ...(baseUrl === undefined ? [] : [`Canonical: ${baseUrl}${path}`]),
    ]
    return reply.type('text/plain; charset=utf-8').send(`${fields.join('\n')}\n`)
  })
}
