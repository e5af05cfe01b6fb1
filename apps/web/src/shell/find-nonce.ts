/** The nonce that the server gave this page, under which its Content-Security-Policy lets styles in. */
export function findNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
