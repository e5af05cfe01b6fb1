/**
 * For `LRUCache`: at most `max` entries, with memory for those that there are. With its own `max` it takes the memory of
 * all of them when it is made, a millisecond for 10,000.
 */
export const limitEntries = (max: number) => ({ maxSize: max, sizeCalculation: () => 1 })
