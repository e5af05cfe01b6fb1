import type { MeshKernel } from './mesh-kernel.ts'

/**
 * Geometry kernels that are compiled to WebAssembly. They load asynchronously, so they are opened before a solve that
 * needs them. The memory of a kernel lies outside the JavaScript heap: kinds reserve it before they call one.
 */
export interface Kernels {
  readonly mesh?: MeshKernel
}

export type KernelName = keyof Kernels

const OPENERS: { readonly [K in KernelName]-?: () => Promise<NonNullable<Kernels[K]>> } = {
  // The module is imported on demand, because most documents need no kernel.
  mesh: async () => (await import('./mesh-kernel.ts')).openMeshKernel(),
}

/** Opens kernels, each in a memory of its own: nothing of an earlier solve is left in it. */
export async function openKernels(names: Iterable<KernelName>): Promise<Kernels> {
  const opened = [...new Set(names)].map(async (name) => [name, await OPENERS[name]()] as const)
  return Object.fromEntries(await Promise.all(opened))
}
