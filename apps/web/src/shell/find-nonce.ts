/** The nonce of this page, with which its Content-Security-Policy allows styles. */
export function findNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
