/** The package has no types. Its issues have a severity from 0, an error, to 3, a hint. */
declare module 'gltf-validator' {
  interface Issue {
    code: string
    message: string
    severity: number
    pointer?: string
  }
  const validator: {
    validateBytes(
      bytes: Uint8Array,
      options: { maxIssues: number },
    ): Promise<{ issues: { messages: Issue[] } }>
  }
  // biome-ignore lint/style/noDefaultExport: a CommonJS module.
  export default validator
}
