/**
 * Returns options for an `LRUCache` of at most `max` entries that takes memory only for the entries that it has. With
 * the option `max`, it would allocate the memory of all entries when it is made, which takes a millisecond for 10,000.
 */
export const limitEntries = (max: number) => ({ maxSize: max, sizeCalculation: () => 1 })
