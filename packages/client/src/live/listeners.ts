/** Who wants to hear of what, by the name of the event. */
export interface Listeners<Events extends object> {
  /** Returns what ends the listening. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void
  tell<Name extends keyof Events>(name: Name, event: Events[Name]): void
}

export function createListeners<Events extends object>(): Listeners<Events> {
  const all = new Map<keyof Events, Set<(event: never) => void>>()
  return {
    on(name, listener) {
      const set = all.get(name) ?? new Set()
      all.set(name, set)
      set.add(listener)
      return () => set.delete(listener)
    },
    tell(name, event) {
      for (const listener of [...(all.get(name) ?? [])]) listener(event as never)
    },
  }
}
