/** jq in WebAssembly. Source: the README of jq-web 0.6. */
declare module 'jq-web' {
  interface Jq {
    /** The output of jq with these options; undefined when there is none. Throws its message and exit code. */
    raw(json: string, filter: string, options?: readonly string[]): string | undefined
  }
  const opening: Promise<Jq>

  export { opening as default }
}
