import { randomBytes } from 'node:crypto'

/** What every page and file carries. */
export const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

export interface Page {
  html: string
  headers: Record<string, string>
}

/**
 * The page, with a nonce that is new each time: the component library makes styles while the app runs, and tells by the
 * nonce that they are its own. Styles set on elements by scripts need no leave; those in attributes are the graph's.
 */
export function createPage(html: string): Page {
  const nonce = randomBytes(16).toString('base64')
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  }
  return {
    html: html.replace(/<head>/i, (head) => `${head}<meta property="csp-nonce" nonce="${nonce}">`),
    headers: {
      ...FILE_HEADERS,
      'content-security-policy': Object.entries(policy)
        .map(([name, value]) => `${name} ${value}`)
        .join('; '),
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      // Going back brings the page as it was, which `no-store` would forbid.
      'cache-control': 'no-cache',
    },
  }
}
