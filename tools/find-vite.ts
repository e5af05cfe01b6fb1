import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Returns the path of Vite's command, or undefined where npm has installed no development dependencies. */
export function findVite(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js')
  } catch {
    return undefined
  }
}
