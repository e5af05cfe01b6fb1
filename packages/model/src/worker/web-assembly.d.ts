/** The part of WebAssembly that is used here; TypeScript declares it for browsers only. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module'
  }
  class Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Record<string, unknown>
  }
  type Imports = Record<string, Record<string, unknown>>
  function compile(bytes: Uint8Array): Promise<Module>
}
