/** Ids of ports in their order. */
export function listPorts(order: Readonly<Record<string, number>>): string[] {
  return Object.entries(order)
    .sort(([, a], [, b]) => a - b)
    .map(([id]) => id)
}
