/** jq in WebAssembly. Source: the README of jq-web 0.6. */
declare module 'jq-web' {
  interface Jq {
    /**
     * Returns the output of jq with these options; undefined when there is no output. Throws jq's message and exit
     * code.
     */
    raw(json: string, filter: string, options?: readonly string[]): string | undefined
  }
  const opening: Promise<Jq>

  // biome-ignore lint/style/noDefaultExport: a CommonJS module.
  export { opening as default }
}
