/** The part of a command's help that shows how it is called; `<ID>` stands for what the reader puts in. */
export const examples = (...calls: string[]): string =>
  ['', 'Examples:', ...calls.map((call) => `  $ ${call}`)].join('\n')
